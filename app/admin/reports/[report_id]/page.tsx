import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { STATES } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findReport, type ListedReport, readReportsAbout } from "#lib/admin/page-reads/reports.ts";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
import { ReportActs } from "./report-acts.tsx";
import { ReportedMessage, ReportedPost, ReportedSubject } from "./reported.tsx";

const { load, generateMetadata } = subjectPage("report_id", "rpt", findReport, () => "Report");

export { generateMetadata };

export default async function ReportPage(props: SubjectProps) {
  const { ctx, found: report } = await load(props);
  const { id, kind, subjectId } = report;
  const [reports, events, own, ownSubject] = await Promise.all([
    readReportsAbout(subjectId),
    readEventsAbout([id, subjectId]),
    isOwnSubject(ctx, id),
    isOwnSubject(ctx, subjectId),
  ]);
  return (
    <AdminPage
      at="/admin/reports"
      within
      title="Report"
      marks={<StateLabel kind="report" state={report.state} />}
      id={{ value: report.id, label: "report ID" }}
    >
      <Part ruled id="reasons" title={reports.length === 1 ? "Reason" : `Reasons from ${reports.length} owners`}>
        <ul className="space-y-5">
          {reports.map((each) => (
            <ReportReason key={each.id} report={each} isThis={each.id === report.id} />
          ))}
        </ul>
      </Part>
      <Part
        ruled
        id="subject"
        title={kind === "post" ? "Post in its thread" : `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`}
      >
        {report.post ? (
          <ReportedPost report={report} post={report.post} />
        ) : kind === "message" ? (
          <ReportedMessage report={report} />
        ) : (
          <ReportedSubject report={report} />
        )}
      </Part>
      <Part ruled id="acts" title="Decisions">
        <ReportActs report={report} own={own} ownSubject={ownSubject} />
      </Part>
      <AuditTrail events={events} />
    </AdminPage>
  );
}

function ReportReason({ report, isThis }: { report: ListedReport; isThis: boolean }) {
  return (
    <li className={`max-w-measure border-s-2 ps-4 ${isThis ? "border-accent" : "border-rule"}`}>
      <p className="whitespace-pre-line text-17 [overflow-wrap:anywhere]">
        <UserText text={report.reason} />
      </p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-13 text-muted">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {report.reporterName ? (
            <>
              <UserText text={report.reporterName} /> · {report.reporterEmail}
            </>
          ) : (
            "Deleted account"
          )}
        </span>
        <Timestamp at={report.createdAt} form="moment" />
        {isThis ? null : <Link href={`/admin/reports/${report.id}`}>{STATES.report[report.state].word}</Link>}
      </p>
    </li>
  );
}
