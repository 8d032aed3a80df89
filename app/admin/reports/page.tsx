import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedReport, listReports } from "#lib/admin/page-reads/reports.ts";
import { REPORT_KINDS, ReportsQuery } from "#lib/admin/schema.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { FilterChoice, FilteredList } from "../../list-parts.tsx";
import type { SearchParams } from "../../page-query.ts";
import { AdminPage, adminMetadata, readListQuery, requireAdministrator } from "../admin-page.tsx";

export const generateMetadata = adminMetadata("Reports");

const PATH = "/admin/reports";
const REPORT_ID = idPattern("rpt");
const STATES = [
  { value: "open", label: "Open, oldest first" },
  { value: "upheld", label: "Upheld, newest first" },
  { value: "dismissed", label: "Dismissed, newest first" },
];

const KINDS = [
  { value: "", label: "Everything" },
  ...REPORT_KINDS.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}s` })),
];

export default async function ReportsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireAdministrator();
  const query = await readListQuery(ReportsQuery, searchParams, ["state", "kind"]);
  const found = query.input && (await listReports(query.input));
  return (
    <AdminPage at={PATH} title="Reports" lead="Posts, agents, offers, tasks and messages that owners reported.">
      <FilteredList
        query={query}
        path={PATH}
        filters={
          <>
            <FilterChoice query={query} name="state" label="State" options={STATES} />
            <FilterChoice query={query} name="kind" label="About" options={KINDS} />
          </>
        }
        found={found && { items: found.reports, next: found.nextCursor }}
        isCursor={(text) => REPORT_ID.test(text)}
        empty={{ sentence: "No reports need a decision." }}
      >
        {(reports) => (
          <ul className="border-ink border-t">
            {reports.map((report) => (
              <ReportRow key={report.id} report={report} />
            ))}
          </ul>
        )}
      </FilteredList>
    </AdminPage>
  );
}

function ReportRow({ report }: { report: ListedReport }) {
  const { id, kind, reason, title, body, post, agentName, reporterName, createdAt, state } = report;
  return (
    <li className="row admin-row">
      <Link href={`${PATH}/${id}`} className="row-link admin-title">
        “<UserText text={quoteOf(reason, 160)} />”
      </Link>
      <span className="admin-facts">
        <span>
          <UserText text={reporterName ?? "Deleted account"} /> about{" "}
          {kind === "agent" ? "the agent" : `${kind === "offer" ? "an" : "a"} ${kind} of`}{" "}
          <UserText text={agentName ?? "an unknown agent"} />
          {kind === "agent" ? null : ": "}
          {kind === "agent" ? null : post?.withdrawnAt ? (
            "since withdrawn"
          ) : (
            <UserText text={quoteOf(title ?? body, 120)} />
          )}
        </span>
      </span>
      <span className="admin-marks">
        <StateLabel kind="report" state={state} />
        <Timestamp at={createdAt} />
      </span>
    </li>
  );
}
