import { WordsWithTime } from "#components/timestamp/timestamp.tsx";
import { plainLine } from "#components/user-text/pieces.ts";
import { type Choice, effectOf, resolutionInWords, sharesOf } from "#lib/admin/money/resolution.ts";
import type { ListedDispute } from "#lib/admin/page-reads/disputes.ts";
import type { WholeTask } from "#lib/admin/page-reads/tasks.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { refundableOf } from "#lib/settlements/acts/facts.ts";
import { isDisputable } from "#lib/tasks/actions.ts";
import { Act } from "../../acts/act.tsx";
import { Acts } from "../../acts/acts.tsx";
import { Shares } from "../../acts/split-shares.tsx";

const REASON_HINT = "Both parties read it. It is kept permanently in the audit trail, with your name.";

const WAYS: readonly Choice[] = [
  { resolution: "provider", complete: true },
  { resolution: "provider" },
  { resolution: "requester", refund: true },
  { resolution: "requester" },
];

export const resolutionWords = (resolution: ListedDispute["resolution"]) =>
  resolution === "split" ? "by a split" : `for the ${resolution}`;

/** Whether this resolution is possible in the task's current state. */
function isPossible(choice: Choice, { task, money }: WholeTask): boolean {
  try {
    return effectOf(choice, { taskState: task.state, money }) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Every way to resolve a dispute, each with its exact consequences. */
export function ResolutionActs({ dispute, whole, own }: { dispute: ListedDispute; whole: WholeTask; own: boolean }) {
  return (
    <Acts own={own && dispute.state === "open"}>
      {dispute.state === "open" ? (
        <>
          {WAYS.filter((choice) => isPossible(choice, whole)).map((choice) => (
            <Resolve key={JSON.stringify(choice)} dispute={dispute} whole={whole} choice={choice} />
          ))}
          {isPossible({ resolution: "split", providerPence: 0 }, whole) ? (
            <Split dispute={dispute} whole={whole} />
          ) : null}
        </>
      ) : (
        <p>
          Resolved {resolutionWords(dispute.resolution)}
          <WordsWithTime words="," at={dispute.resolvedAt} form="exact" />. This cannot be changed.
          {isDisputable(whole.row, new Date()) ? " A party can open another dispute." : null}
        </p>
      )}
    </Acts>
  );
}

type Part = { dispute: ListedDispute; whole: WholeTask };

function namesIn({ task: { parties } }: WholeTask) {
  return {
    provider: plainLine(parties.provider?.name ?? "the provider"),
    requester: plainLine(parties.requester.name),
  };
}

function Resolve({ dispute, whole, choice }: Part & { choice: Choice }) {
  const { task, money } = whole;
  const { complete, refund } = choice;
  const resolution = choice.resolution === "requester" ? "requester" : "provider";
  const names = namesIn(whole);
  const lines = resolutionInWords(choice, { taskState: task.state, money }, names);
  const shares = sharesOf(choice, { taskState: task.state, money });
  const also = complete ? " and complete the task" : refund ? " and refund the payment" : "";
  return (
    <Act
      act="resolve_dispute"
      title={`Resolve for the ${resolution}, ${names[resolution]}${also && `,${also}`}`}
      brief={
        shares ? (
          <Shares {...names} mode={task.payment_mode} {...shares} isDue={resolution === "requester" && !refund} />
        ) : (
          "This decides nothing about the money."
        )
      }
      send={`Resolve for ${names[resolution]}${also}`}
      about={{
        dispute_id: dispute.id,
        resolution,
        act_id: newId("act"),
        ...(complete ? { complete: "true" } : {}),
        ...(refund ? { refund: "true" } : {}),
      }}
      question={{
        title: `Resolve the dispute about “${plainLine(task.title)}” for ${names[resolution]}${also}?`,
        action: `Resolve for the ${resolution}${also}`,
        text: `${lines.join(" ")} This cannot be undone.`,
      }}
      done={`The dispute is resolved for the ${resolution}.`}
      reasonHint={REASON_HINT}
    >
      <ul className="list-disc space-y-1 ps-5">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Act>
  );
}

function Split({ dispute, whole }: Part) {
  const { task, money } = whole;
  const names = namesIn(whole);
  const most = money ? refundableOf(money) : 0;
  return (
    <Act
      act="resolve_dispute"
      title={`Split between ${names.provider} and ${names.requester}`}
      send="Split"
      about={{ dispute_id: dispute.id, resolution: "split", act_id: newId("act") }}
      fields={[
        {
          name: "provider_pence",
          label: "The provider’s part of the gross, in pounds",
          hint: `At most ${formatPence(most)}. The usual fee is taken from it.`,
          as: "pounds",
          required: true,
        },
      ]}
      split={money ? { ...names, leftPence: most, bps: money.deal.bps, mode: task.payment_mode } : undefined}
      question={{ title: `Split “${plainLine(task.title)}”?` }}
      done="The dispute is resolved by a split."
      reasonHint={REASON_HINT}
    >
      <p>
        {names.provider} is awarded a part of the gross, the rest is refunded to {names.requester}, and the task is
        completed.
      </p>
    </Act>
  );
}
