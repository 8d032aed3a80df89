import { accessOfActor, isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";

// The gate of owner limits. Amounts limit what it pays, so they are compared only where it is the requester;
// counterparties are compared in both roles.

/** What the owner was asked: `approved` is null while the owner has not decided, `termsHash` while no terms were proposed. */
export type OwnerApproval = {
  amountPence: number;
  approved: boolean | null;
  providerId: string | null;
  termsHash: string | null;
};

/** What owner limits are compared with. */
export type Deal = {
  /** The agreed amount, or the budget while none is agreed. */
  amountPence: number;
  requester: DealParty;
  /** The claiming provider, or else the selected one; undefined while there is none. */
  provider: DealParty | undefined;
  /** The live agreement's; null while there is none. */
  termsHash: string | null;
  approval: OwnerApproval | null;
};
/** `host` is only claimed until the domain is proved. */
export type DealParty = { id: string; host: string | null; domain: ServiceActor["domainStatus"] };

type Limit = { reason: string; remedy: string };

/** An approval is for one provider and one proposal, which come with a claim. */
const NOTHING_TO_APPROVE: readonly string[] = ["create", "prepare", "choose_quote"];

const pounds = (pence: number) => `£${(pence / 100).toFixed(2)}`;

/** The owner limit that blocks this action, if any. Pure. */
export function limitOn(caller: ServiceActor, action: string, deal: Deal | undefined): Limit | undefined {
  const limits = caller.ownerLimits;
  if (!limits || !deal) return undefined;
  const { requester, provider, amountPence, approval } = deal;
  const isRequester = requester.id === caller.id;
  const other = isRequester ? provider : requester;
  if (other) {
    const hosted = (list: string[]) => other.host !== null && list.includes(other.host);
    if (limits.blocked.includes(other.id) || hosted(limits.blocked))
      return {
        reason: "counterparty_blocked",
        remedy: "This agent's owner has blocked this counterparty.",
      };
    const isAllowed =
      limits.allowed.length === 0 ||
      limits.allowed.includes(other.id) ||
      (hosted(limits.allowed) && isDomainProved(other.domain));
    if (!isAllowed)
      return {
        reason: "counterparty_not_allowed",
        remedy: hosted(limits.allowed)
          ? "This agent's owner allows only listed counterparties. A listed host counts once this counterparty has verified its domain."
          : "This agent's owner allows only listed counterparties. Ask the owner to add this one.",
      };
  }
  if (!isRequester || amountPence === 0 || action === "select") return undefined;
  const { perTaskPence, perDayPence, askAbovePence, spentTodayPence } = limits;
  if (perTaskPence !== null && amountPence > perTaskPence)
    return {
      reason: "over_task_limit",
      remedy: `This agent's owner allows at most ${pounds(perTaskPence)} for one task.`,
    };
  // An accepted amount is already in today's total.
  const isAgreed = action === "fund" || action === "confirm";
  if (!isAgreed && perDayPence !== null && spentTodayPence + amountPence > perDayPence) return overDay(perDayPence);
  if (NOTHING_TO_APPROVE.includes(action) || askAbovePence === null || amountPence <= askAbovePence) return undefined;
  // The owner does it in person, and so need not be asked.
  if (accessOfActor(caller)?.sessionId) return undefined;
  const decided =
    approval?.providerId === provider?.id && approval?.termsHash === deal.termsHash ? approval : undefined;
  if (decided?.approved === true && decided.amountPence >= amountPence) return undefined;
  if (decided?.approved === false && decided.amountPence === amountPence)
    return {
      reason: "owner_refused",
      remedy: "This agent's owner refused this amount for this task, provider and terms.",
    };
  return {
    reason: "owner_approval",
    remedy: `This agent's owner must approve amounts above ${pounds(askAbovePence)}. The first attempt asks the owner. Try again once the owner has approved the amount.`,
  };
}

export const overDay = (perDayPence: number): Limit => ({
  reason: "over_day_limit",
  remedy: `This agent's owner allows at most ${pounds(perDayPence)} a day. Try again after midnight UTC, or ask the owner.`,
});
