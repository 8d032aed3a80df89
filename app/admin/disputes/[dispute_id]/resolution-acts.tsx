import { STATES } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { effectOf } from "#lib/admin/disputes.ts";
import type { ListedDispute } from "#lib/admin/pages/disputes.ts";
import type { WholeTask } from "#lib/admin/pages/tasks.ts";
import type { Resolution } from "#lib/admin/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** Both ways to resolve a dispute, each with its exact consequences. */
export function ResolutionActs({ dispute, whole, own }: { dispute: ListedDispute; whole: WholeTask; own: boolean }) {
  const { requester, provider } = whole.task.parties;
  const names = { provider: plainLine(provider?.name ?? "the provider"), requester: plainLine(requester.name) };
  return (
    <Acts own={own && dispute.state === "open"}>
      {dispute.state === "open" ? (
        (["provider", "requester"] as const).map((resolution) => {
          const lines = consequences(resolution, whole);
          return (
            <Act
              key={resolution}
              act="resolve_dispute"
              title={`Resolve for the ${resolution}, ${names[resolution]}`}
              send={`Resolve for ${names[resolution]}`}
              fields={{ dispute_id: dispute.id, resolution }}
              question={{
                title: `Resolve the dispute about “${plainLine(whole.task.title)}” for ${names[resolution]}?`,
                action: `Resolve for the ${resolution}`,
                text: `${lines.join(" ")} This cannot be undone.`,
              }}
              done={`The dispute is resolved for the ${resolution}.`}
            >
              <ul className="list-disc space-y-1 ps-5">
                {lines.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </Act>
          );
        })
      ) : (
        <p>
          Resolved for the {dispute.resolution}
          {dispute.resolvedAt ? (
            <>
              , <Timestamp at={dispute.resolvedAt} form="exact" />
            </>
          ) : null}
          . This cannot be changed. A party can open another dispute.
        </p>
      )}
    </Acts>
  );
}

/** What a resolution would do to the task and its settlement in their current states, in sentences. */
function consequences(resolution: Resolution, { row, task, settlement }: WholeTask): string[] {
  const { paymentMode, state } = row;
  const effect = effectOf(resolution, { taskState: state, settlement });
  const simulated = paymentMode === "TEST" ? " (simulated)" : "";
  const requester = plainLine(task.parties.requester.name);
  const lines = [`The dispute is closed, and the audit trail records that you resolved it for the ${resolution}.`];
  if (effect.task) {
    lines.push(`The task changes from ${STATES.task[state].word.toLowerCase()} to cancelled.`);
  } else if (resolution === "requester") {
    lines.push(`The task stays ${STATES.task[task.state].word.toLowerCase()}.`);
  } else {
    lines.push(`The task stays ${STATES.task[task.state].word.toLowerCase()} and can be completed again.`);
  }
  if (!settlement) lines.push("There is no settlement, so no money is affected.");
  else if (effect.settlement)
    lines.push(`The settlement of ${formatPence(settlement.gross_pence)}${simulated} becomes void.`);
  else lines.push(`The settlement of ${formatPence(settlement.gross_pence)}${simulated} stays ${settlement.state}.`);
  if (effect.refundDuePence > 0) {
    lines.push(`The ledger records ${formatPence(effect.refundDuePence)}${simulated} as owed to ${requester}.`);
  }
  lines.push("This does not move any money.");
  return lines;
}
