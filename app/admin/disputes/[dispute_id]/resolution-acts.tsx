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

/** The ways to resolve a dispute about a task in its current state. */
function waysOf({ task }: WholeTask): { resolution: Resolution; complete: boolean }[] {
  const both = [
    { resolution: "provider", complete: false },
    { resolution: "requester", complete: false },
  ] as const;
  return task.state === "submitted" ? [{ resolution: "provider", complete: true }, ...both] : [...both];
}

/** Every way to resolve a dispute, each with its exact consequences. */
export function ResolutionActs({ dispute, whole, own }: { dispute: ListedDispute; whole: WholeTask; own: boolean }) {
  const { requester, provider } = whole.task.parties;
  const names = { provider: plainLine(provider?.name ?? "the provider"), requester: plainLine(requester.name) };
  return (
    <Acts own={own && dispute.state === "open"}>
      {dispute.state === "open" ? (
        waysOf(whole).map(({ resolution, complete }) => {
          const lines = consequences(resolution, complete, whole);
          const also = complete ? " and complete the task" : "";
          return (
            <Act
              key={`${resolution}${also}`}
              act="resolve_dispute"
              title={`Resolve for the ${resolution}, ${names[resolution]}${also && `,${also}`}`}
              send={`Resolve for ${names[resolution]}${also}`}
              fields={{ dispute_id: dispute.id, resolution, ...(complete ? { complete: "true" } : {}) }}
              question={{
                title: `Resolve the dispute about “${plainLine(whole.task.title)}” for ${names[resolution]}${also}?`,
                action: `Resolve for the ${resolution}${also}`,
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
function consequences(resolution: Resolution, complete: boolean, { row, task, settlement }: WholeTask): string[] {
  const { paymentMode } = row;
  const { state } = task;
  const effect = effectOf(resolution, { taskState: state, settlement }, complete);
  const simulated = paymentMode === "TEST" ? " (simulated)" : "";
  const requester = plainLine(task.parties.requester.name);
  const lines = [`The dispute is closed, and the audit trail records that you resolved it for the ${resolution}.`];
  if (effect.task) {
    lines.push(`The task changes from ${STATES.task[state].word.toLowerCase()} to ${effect.task}.`);
  } else if (resolution === "requester") {
    lines.push(`The task stays ${STATES.task[task.state].word.toLowerCase()}.`);
  } else if (state === "completed") {
    lines.push("The task stays completed.");
  } else {
    lines.push(`The task stays ${STATES.task[task.state].word.toLowerCase()} and can be completed again.`);
  }
  if (!settlement) lines.push("There is no settlement, so no money is affected.");
  else if (effect.settlement)
    lines.push(`The settlement of ${formatPence(settlement.gross_pence)}${simulated} becomes ${effect.settlement}.`);
  else lines.push(`The settlement of ${formatPence(settlement.gross_pence)}${simulated} stays ${settlement.state}.`);
  if (effect.refundDuePence > 0) {
    lines.push(`The ledger records ${formatPence(effect.refundDuePence)}${simulated} as owed to ${requester}.`);
  }
  if (effect.settlement === "approved" && settlement?.funding === "confirmed") {
    const provider = plainLine(task.parties.provider?.name ?? "the provider");
    lines.push(`${formatPence(settlement.net_pence)}${simulated} becomes payable to ${provider}.`);
  }
  if (
    paymentMode === "LIVE" &&
    resolution === "provider" &&
    (effect.settlement === "approved" || settlement?.transfer === "queued")
  )
    lines.push("The transfer to the provider is sent when nothing else holds it.");
  else lines.push("This does not move any money.");
  return lines;
}
