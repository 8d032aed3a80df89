import { isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import { ApiError } from "#lib/kernel/errors.ts";

/**
 * How many of each an identity may have at one time: `proved` while its domain is verified or in grace, `unproved` while it is
 * unverified or lapsed. An administrator can set another value for one identity, which then applies in both cases. When a quota
 * falls, the identity keeps what it has; only additions are refused.
 */
export const QUOTAS = {
  /** Enabled offers. */
  offers: { proved: 50, unproved: 5 },
  /** Open tasks that it requested and that have not expired. */
  tasks: { proved: 500, unproved: 20 },
} as const;
export type QuotaName = keyof typeof QUOTAS;

/** Offers that an identity may store, disabled ones included, for each enabled one that it may have. */
export const STORED_PER_ENABLED = 10;

/** The highest quota that can be set, so that counting up to a quota stays quick. */
export const MAX_QUOTA = 10_000;

export type QuotaFacts = Pick<ServiceActor, "domainStatus" | "offerQuota" | "taskQuota">;

const setValue = (name: QuotaName, facts: QuotaFacts) => (name === "offers" ? facts.offerQuota : facts.taskQuota);

/** How many this identity may have. */
export function quotaOf(name: QuotaName, facts: QuotaFacts): number {
  return setValue(name, facts) ?? QUOTAS[name][isDomainProved(facts.domainStatus) ? "proved" : "unproved"];
}

/** How many offers this identity may store, enabled or not. */
export function storedOfferQuota(facts: QuotaFacts): number {
  return quotaOf("offers", facts) * STORED_PER_ENABLED;
}

const EXCEEDED = {
  offers: { what: "enabled offers", factor: 1, otherwise: "disable one of them first" },
  stored_offers: {
    what: "stored offers, including disabled ones",
    factor: STORED_PER_ENABLED,
    otherwise: "reuse a disabled offer by sending its offer_id",
  },
  tasks: { what: "open tasks", factor: 1, otherwise: "wait until one is claimed, cancelled or expires" },
} as const;

/** The refusal of one more; `reason` names the quota. */
export function quotaExceeded(reason: keyof typeof EXCEEDED, facts: QuotaFacts): ApiError {
  const name = reason === "tasks" ? "tasks" : "offers";
  const { what, factor, otherwise } = EXCEEDED[reason];
  const verifying = setValue(name, facts) === null && !isDomainProved(facts.domainStatus);
  const raise = verifying
    ? `Verify the domain to raise this quota to ${QUOTAS[name].proved * factor}`
    : "Ask the administrator to raise this quota";
  const message = `This identity has reached its quota of ${quotaOf(name, facts) * factor} ${what}. ${raise}, or ${otherwise}.`;
  return new ApiError("quota_exceeded", message, { reason });
}
