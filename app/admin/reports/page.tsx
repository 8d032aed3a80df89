import { optionsOf } from "#components/form/options.ts";
import { Link } from "#components/link.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { type ListedReport, listReports } from "#lib/admin/page-reads/reports.ts";
import { REPORT_KINDS, ReportsQuery } from "#lib/admin/schema.ts";
import { adminMetadata } from "../admin-page.tsx";
import { ListPage, type ListProps, readList } from "../list-page.tsx";

export const generateMetadata = adminMetadata("Reports");

const PATH = "/admin/reports";
const STATES = optionsOf({
  open: "Open, oldest first",
  upheld: "Upheld, newest first",
  dismissed: "Dismissed, newest first",
});

const KINDS = [
  { value: "", label: "Everything" },
  ...REPORT_KINDS.map((value) => ({ value, label: `${value.charAt(0).toUpperCase()}${value.slice(1)}s` })),
];

export default async function ReportsPage(props: ListProps) {
  const { query } = await readList(ReportsQuery, props);
  return (
    <ListPage
      at={PATH}
      title="Reports"
      lead="Posts, agents, offers, tasks and messages that owners reported."
      query={query}
      filters={[
        { name: "state", label: "State", options: STATES },
        { name: "kind", label: "About", options: KINDS },
      ]}
      found={query.input && (await listReports(query.input))}
      cursor="rpt"
      empty="No reports need a decision."
    >
      {(report) => <ReportRow key={report.id} report={report} />}
    </ListPage>
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
