import { STATES } from "#components/state-label/states.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import type { ListedDispute } from "#lib/admin/pages/disputes.ts";
import type { WholeTask } from "#lib/admin/pages/tasks.ts";
import { effectOf } from "#lib/admin/resolution.ts";
import type { Resolution } from "#lib/admin/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";

/** Both ways to resolve a dispute, each with exactly what it is going to do. */
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
          For the {dispute.resolution}
          {dispute.resolvedAt ? (
            <>
              , <Timestamp at={dispute.resolvedAt} form="exact" />
            </>
          ) : null}
          . It cannot be resolved again; a party may open another dispute.
        </p>
      )}
    </Acts>
  );
}

/** In sentences what a resolution does now, as the task stands. */
function consequences(resolution: Resolution, { row, task, settlement }: WholeTask): string[] {
  const { paymentMode, state } = row;
  const effect = effectOf(resolution, { taskState: state, settlement });
  const simulated = paymentMode === "TEST" ? " (simulated)" : "";
  const requester = plainLine(task.parties.requester.name);
  const lines = [`The dispute is closed, and the record says that you resolved it for the ${resolution}.`];
  if (effect.task) {
    lines.push(`The task, which is ${STATES.task[state].word.toLowerCase()}, ends as cancelled.`);
  } else if (resolution === "requester") {
    lines.push(`The task is ${STATES.task[task.state].word.toLowerCase()} already, and stays so.`);
  } else {
    lines.push(`The task stays ${STATES.task[task.state].word.toLowerCase()}, and completion is possible again.`);
  }
  if (!settlement) lines.push("There is no settlement: no money is concerned.");
  else if (effect.settlement)
    lines.push(`The settlement of ${formatPence(settlement.gross_pence)}${simulated} becomes void.`);
  else lines.push(`The settlement of ${formatPence(settlement.gross_pence)}${simulated} stays ${settlement.state}.`);
  if (effect.refundDuePence > 0) {
    lines.push(`The books show ${formatPence(effect.refundDuePence)}${simulated} as due to ${requester}.`);
  }
  lines.push("No money is moved by this.");
  return lines;
}
