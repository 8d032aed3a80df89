import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { type MoneyFacts, refundableOf } from "#lib/settlements/acts/facts.ts";
import { afterMove, balancesOf, givenOf } from "#lib/settlements/ledger.ts";
import { BEING_SENT } from "#lib/settlements/transfers.ts";
import { STEPS, type TaskState } from "#lib/tasks/machine.ts";
import type { Resolution } from "../schema.ts";
import { amountsOf, changesInWords, type Names, refundInWords, taskWords } from "./words.ts";

/** How a dispute is resolved. `complete` is for the provider, `refund` for the requester, `providerPence` for a split. */
export type Choice = {
  resolution: Resolution;
  complete?: boolean | undefined;
  refund?: boolean | undefined;
  providerPence?: number | undefined;
};

/** `money` is null without a settlement. */
type ResolutionFacts = { taskState: TaskState; money: MoneyFacts | null };

/** What a resolution changes; `null` where it changes nothing. */
export type Effect = {
  /** The state in which the task ends. */
  task: "cancelled" | "completed" | null;
  settlement: "void" | "approved" | null;
  /** What a split awards the provider of the gross. */
  awardedPence: number | null;
  /** The queued transfer ends, although its settlement stays approved because part of it was sent before. */
  endsTransfer: boolean;
  /** The amount that the ledger then owes to the requester, in pence, before any refund. */
  refundDuePence: number;
  /** The amount that is refunded at once. */
  refundPence: number;
};

const NOTHING: Effect = {
  task: null,
  settlement: null,
  awardedPence: null,
  endsTransfer: false,
  refundDuePence: 0,
  refundPence: 0,
};

const takes = (step: keyof typeof STEPS, state: TaskState) =>
  (STEPS[step].from as readonly TaskState[]).includes(state);

/**
 * What a resolution does. `resolveDispute` does exactly this, and the page that asks for confirmation says it. Pure.
 * @throws ApiError invalid_input (an option of another resolution, or more than is left), state_conflict (not possible now)
 */
export function effectOf(choice: Choice, facts: ResolutionFacts): Effect {
  const { resolution, complete = false, refund = false, providerPence } = choice;
  if (complete && resolution !== "provider") throw invalidInput("complete", "is only possible for the provider");
  if (refund && resolution !== "requester") throw invalidInput("refund", "is only possible for the requester");
  if (resolution === "split" && providerPence === undefined)
    throw invalidInput("provider_pence", "is required for a split");
  if (resolution !== "split" && providerPence !== undefined)
    throw invalidInput("provider_pence", "is only possible for a split");
  if (facts.money?.open?.state === "sending" && (resolution !== "provider" || complete))
    throw stateConflict(BEING_SENT);
  if (resolution === "provider") return forProvider(facts, complete);
  return resolution === "requester" ? forRequester(facts, refund) : split(facts, providerPence ?? 0);
}

function forProvider({ taskState, money }: ResolutionFacts, complete: boolean): Effect {
  if (!complete) return NOTHING;
  if (!takes("complete", taskState))
    throw stateConflict(`This task is ${taskWords(taskState)}; only a submitted task can be completed.`);
  return { ...NOTHING, task: "completed", settlement: money?.settlement.state === "recorded" ? "approved" : null };
}

/** An approved settlement whose transfer still waits. */
const isQueued = (money: MoneyFacts | null) => money?.settlement.state === "approved" && money.open !== undefined;

function forRequester({ taskState, money }: ResolutionFacts, refund: boolean): Effect {
  const canEnd = takes("annul", taskState);
  const isUnsent = isQueued(money) && money?.moved.sent === 0;
  const isVoided = canEnd ? money?.settlement.state === "recorded" : isUnsent;
  const refundDuePence =
    isVoided && money ? 0 - balancesOf({ ...money.deal, state: "void" }, money.moved).refund_due : 0;
  const effect: Effect = {
    ...NOTHING,
    task: canEnd ? "cancelled" : null,
    settlement: isVoided ? "void" : null,
    endsTransfer: !canEnd && isQueued(money) && !isUnsent,
    refundDuePence,
  };
  if (!refund) return effect;
  const refundPence = money?.settlement.funding === "confirmed" ? refundableOf(money) : 0;
  if (refundPence === 0) throw stateConflict("There is nothing to refund by this resolution.");
  return { ...effect, refundPence };
}

function split({ taskState, money }: ResolutionFacts, providerPence: number): Effect {
  if (money?.settlement.funding !== "confirmed")
    throw stateConflict("Only a settlement with a confirmed payment can be split.");
  const isUnderWay = money.settlement.state === "recorded" && takes("split", taskState);
  const isUnsent = isQueued(money) && money.moved.sent === 0;
  if (!isUnderWay && !isUnsent)
    throw stateConflict(
      `The task is ${taskWords(taskState)} and the settlement ${money.settlement.state}: nothing is left to split.`,
    );
  const left = refundableOf(money);
  if (providerPence > left)
    throw invalidInput(
      "provider_pence",
      `must be at most ${left} (${formatPence(left)}): that is what is left of the gross`,
    );
  const after = balancesOf({ ...money.deal, state: "approved", awardedPence: providerPence }, money.moved);
  return {
    ...NOTHING,
    task: isUnderWay ? "completed" : null,
    settlement: isUnderWay ? "approved" : null,
    awardedPence: providerPence,
    refundDuePence: 0 - after.refund_due,
    refundPence: left - providerPence,
  };
}

/** What a resolution would do, in sentences. Pure. @throws ApiError like `effectOf` */
export function resolutionInWords(choice: Choice, facts: ResolutionFacts, names: Names): string[] {
  const effect = effectOf(choice, facts);
  const who = choice.resolution === "split" ? "by a split" : `for the ${choice.resolution}`;
  return [
    `The dispute is closed, and the audit trail records that you resolved it ${who}.`,
    ...taskInWords(effect, choice, facts.taskState),
    ...(facts.money ? moneyInWords(effect, facts.money, names) : ["There is no settlement, so no money is affected."]),
  ];
}

/**
 * Who has what of the money in the end, if this resolution decides it, in pence; null if it leaves that open. Pure.
 * @throws ApiError like `effectOf`
 */
export function sharesOf(choice: Choice, facts: ResolutionFacts) {
  const { settlement, awardedPence, refundPence } = effectOf(choice, facts);
  if (!facts.money || (settlement === null && awardedPence === null && refundPence === 0)) return null;
  const { deal, moved } = facts.money;
  const becomes = { ...deal, state: settlement ?? deal.state, awardedPence: awardedPence ?? deal.awardedPence };
  const refunded = afterMove(moved, "refund", { pence: refundPence });
  const after = balancesOf(becomes, refunded);
  return {
    providerPence: givenOf(moved) - after.provider_payable,
    feePence: 0 - after.platform_fees,
    requesterPence: refunded.refunded - after.refund_due,
  };
}

/** What completing a task in the requester's place would do, in sentences. Pure. @throws ApiError state_conflict (not submitted) */
export function completionInWords(facts: ResolutionFacts, names: Names): string[] {
  const choice = { resolution: "provider", complete: true } as const;
  const effect = effectOf(choice, facts);
  return [
    ...taskInWords(effect, choice, facts.taskState),
    ...(facts.money ? moneyInWords(effect, facts.money, names) : []),
  ];
}

function taskInWords({ task }: Effect, { resolution }: Choice, state: TaskState): string[] {
  if (task) return [`The task changes from ${taskWords(state)} to ${task}.`];
  const canGoOn = resolution === "provider" && state !== "completed";
  return [`The task stays ${taskWords(state)}${canGoOn ? " and can be completed again" : ""}.`];
}

function moneyInWords(effect: Effect, money: MoneyFacts, names: Names): string[] {
  const { settlement, deal, moved, open } = money;
  const mode = settlement.paymentMode;
  const amount = amountsOf(mode);
  const state = effect.settlement ?? settlement.state;
  const becomes = { ...deal, state, awardedPence: effect.awardedPence ?? deal.awardedPence };
  const after = balancesOf(becomes, moved);
  const lines = [
    `The settlement of ${amount(settlement.grossPence)} ${effect.settlement ? `becomes ${effect.settlement}` : `stays ${settlement.state}`}.`,
    ...(effect.awardedPence === null
      ? []
      : [`${amount(effect.awardedPence)} of it is awarded to ${names.provider}, from which the usual fee is taken.`]),
    ...changesInWords(balancesOf(deal, moved), after, names, amount),
  ];
  if (effect.refundPence > 0) {
    const refunded = balancesOf(becomes, afterMove(moved, "refund", { pence: effect.refundPence }));
    lines.push(
      refundInWords(effect.refundPence, mode, names, amount),
      ...changesInWords(after, refunded, names, amount),
    );
  }
  if (effect.endsTransfer && open)
    lines.push(`The queued transfer of ${amount(open.amountPence)} to ${names.provider} ends and is not sent.`);
  const isSent =
    mode === "LIVE" && settlement.funding === "confirmed" && after.provider_payable < 0 && state === "approved";
  if (isSent && !effect.endsTransfer) lines.push("The transfer to the provider is sent when nothing else holds it.");
  else if (effect.refundPence === 0) lines.push("This does not move any money.");
  return lines;
}
