import { Link } from "#components/link.tsx";
import { plainLine, quoteOf } from "#components/user-text/pieces.ts";
import type { ListedReport } from "#lib/admin/page-reads/reports.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** What can be done about what was reported, and the decision about the report itself. */
export function ReportActs({ report, own, ownSubject }: { report: ListedReport; own: boolean; ownSubject: boolean }) {
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
