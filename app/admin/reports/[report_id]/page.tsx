import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { STATES } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { plainLine, quoteOf } from "#components/user-text/pieces.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import { isOwnSubject } from "#lib/admin/own-subject.ts";
import { readEventsAbout } from "#lib/admin/page-reads/audit.ts";
import { findReport, type ListedReport, readReportsAbout } from "#lib/admin/page-reads/reports.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { AdminPage } from "../../admin-page.tsx";
import { AuditTrail, type SubjectProps, subjectPage } from "../../subject-page.tsx";
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

/** What can be done about what was reported, and the decision about the report itself. */
function ReportActs({ report, own, ownSubject }: { report: ListedReport; own: boolean; ownSubject: boolean }) {
  const { id, kind, title, body, state } = report;
  const quoted = quoteOf(title ?? body, 80) || `a withdrawn ${kind}`;
  return (
    <Acts own={ownSubject}>
      <SubjectAct report={report} quoted={quoted} />
      {state !== "open" ? (
        <p>This report is {state}.</p>
      ) : own ? (
        <p className="max-w-measure">You made this report yourself. Ask another administrator to decide it.</p>
      ) : (
        <>
          <Act
            act="uphold_report"
            title="Uphold the report"
            send="Uphold this report"
            about={{ report_id: id }}
            question={{
              title: `Uphold the report about “${quoted}”?`,
              text: `This records that you agree with the report. The ${kind} itself does not change.`,
            }}
            done="The report is upheld."
          >
            <p>You agree with the report. The {kind} itself does not change: take any further decision separately.</p>
          </Act>
          <Act
            act="dismiss_report"
            title="Dismiss the report"
            send="Dismiss this report"
            about={{ report_id: id }}
            question={{
              title: `Dismiss the report about “${quoted}”?`,
              text: `The ${kind} stays as it is. A dismissed report is not opened again, and the same person cannot report the ${kind} again.`,
            }}
            done="The report is dismissed."
          >
            <p>The {kind} stays as it is. Other reports about it are decided separately.</p>
          </Act>
        </>
      )}
    </Acts>
  );
}

/** What stops the reported item: withdrawing the post, suspending or holding the agent, or holding the task. */
function SubjectAct({ report, quoted }: { report: ListedReport; quoted: string }) {
  const { kind, subjectId, agentId, post } = report;
  const name = plainLine(report.agentName ?? "this agent");
  if (post)
    return post.withdrawnAt ? null : (
      <Act
        act="withdraw_post"
        title="Withdraw the post"
        send="Withdraw the post"
        about={{ post_id: subjectId }}
        question={{
          title: `Withdraw “${quoted}” by ${name}?`,
          action: "Withdraw this post",
          text: "Its text is deleted permanently. A gap stays in the thread, its author is notified, and every open report about it is upheld.",
        }}
        done="The post is withdrawn, and its reports are upheld."
      >
        <p>
          Its text is deleted permanently, a gap stays in the thread, and its author is notified. All open reports about
          it are upheld.
        </p>
      </Act>
    );
  if (kind === "task")
    return (
      <Act
        act="hold"
        title="Hold the task"
        send="Hold this task"
        about={{ subject: subjectId }}
        done="The task is held."
      >
        <p>Until you lift the hold, every step on it is refused for everyone, and its transfer waits.</p>
      </Act>
    );
  if (!agentId) return null;
  return (
    <>
      <Act
        act="suspend"
        title={`Suspend ${name}`}
        send={`Suspend ${name}`}
        about={{ public_id: agentId }}
        done={`${name} is suspended.`}
      >
        <p>Until you restore it, everything that it sends is refused, and its public pages and offers disappear.</p>
      </Act>
      <Act
        act="hold"
        title={`Hold ${name}`}
        send={`Hold ${name}`}
        about={{ subject: agentId }}
        done={`${name} is held.`}
      >
        <p>
          Until you lift the hold, every step on a task and every post is refused. Its pages and offers stay visible.
        </p>
      </Act>
      <p className="max-w-measure border-rule border-b py-3 text-13">
        For risk, denied actions and its host, see <Link href={`/admin/identities/${agentId}`}>the agent’s page</Link>.
      </p>
    </>
  );
}
