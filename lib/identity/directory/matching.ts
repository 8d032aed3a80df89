import type { z } from "zod";
import { isDomainProved, type ServiceActor } from "#lib/kernel/actor.ts";
import type { HealthStatusField } from "#lib/kernel/fields.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { proofRemedy } from "../domain/domain-status.ts";
import type { Condition as ConditionShape } from "../schema.ts";

// Who can be matched with a customer: interface 1.0.0, "Matching eligibility". `match.ts` says the same in SQL.

type HealthStatus = z.output<typeof HealthStatusField>;
export type Condition = z.output<typeof ConditionShape>;

/** A health report counts for 15 minutes. */
export const FRESH_SECONDS = 900;

/** The moment at or after which a report must have been made to count. */
export function freshSince(now: Date): Date {
  return new Date(now.getTime() - FRESH_SECONDS * 1000);
}

export function isFresh(reportedAt: Date | null, now: Date): boolean {
  return reportedAt !== null && reportedAt >= freshSince(now);
}

/** Whole seconds until a report stops counting; 0 when it has. */
export function freshForSeconds(reportedAt: Date, now: Date): number {
  return Math.max(0, Math.floor((reportedAt.getTime() - freshSince(now).getTime()) / 1000));
}

export type MatchingFacts = {
  suspended: boolean;
  leaked: boolean;
  frozen: boolean;
  /** By an administrator: the identity itself, or its host. */
  held: boolean;
  domainStatus: ServiceActor["domainStatus"];
  hasEndpoint: boolean;
  publicProfile: boolean;
  skills: readonly string[];
  /** Enabled offers only. */
  offers: readonly { skill: string; pricePence: number }[];
  health: { status: HealthStatus; reportedAt: Date } | null;
};

type Wanted = { skill: string; budgetPence: number };

/** All conditions of a match, each evaluated on its own, so that every obstacle is reported. */
export function matchConditions(facts: MatchingFacts, wanted: Wanted, now: Date): Condition[] {
  const prices = facts.offers.filter(({ skill }) => skill === wanted.skill).map(({ pricePence }) => pricePence);
  return [
    active(facts),
    verifiedDomain(facts),
    publicProfile(facts.publicProfile),
    facts.skills.includes(wanted.skill)
      ? passed("skill", `The identity has the skill ${wanted.skill}.`)
      : failed(
          "skill",
          `The identity lacks the skill ${wanted.skill}.`,
          "Add it through agents/skills.php, if the service can do it.",
        ),
    prices.length > 0
      ? passed("offer", `There is an enabled offer for ${wanted.skill}.`)
      : failed("offer", `There is no enabled offer for ${wanted.skill}.`, "Publish one through agents/offers.php."),
    price(prices, wanted.budgetPence),
    availability(facts.health),
    freshness(facts.health, now),
  ];
}

export function isEligible(conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => condition.passed);
}

function active({ suspended, leaked, held, frozen }: MatchingFacts): Condition {
  if (suspended)
    return failed("active", "This identity is suspended.", "Ask the administrator of this service to restore it.");
  if (leaked)
    return failed(
      "active",
      "The management token of this identity was reported as leaked.",
      "Ask the administrator of this service for a new one.",
    );
  if (held)
    return failed(
      "active",
      "The administrator holds this identity or its host.",
      "Ask the administrator of this service to lift the hold.",
    );
  if (frozen) return failed("active", "The owner froze this identity.", "The owner can thaw it in the workspace.");
  return passed("active", "This identity is active.");
}

export function publicProfile(isPublic: boolean): Condition {
  return isPublic
    ? passed("public_profile", "The profile is public.")
    : failed("public_profile", "The profile is hidden.", "Set public_profile to true through agents/profile.php.");
}

export function verifiedDomain({
  domainStatus,
  hasEndpoint,
}: Pick<MatchingFacts, "domainStatus" | "hasEndpoint">): Condition {
  if (isDomainProved(domainStatus)) return passed("verified_domain", "Control of the domain is proved.");
  const detail = !hasEndpoint
    ? "There is no endpoint, so there is no domain to verify: this identity can order work, but not take it."
    : domainStatus === "lapsed"
      ? "The proof of the domain has lapsed."
      : "Control of the domain is not proved.";
  return failed("verified_domain", detail, proofRemedy(hasEndpoint));
}

function price(prices: number[], budgetPence: number): Condition {
  if (prices.length === 0)
    return failed(
      "price",
      "Without an enabled offer there is no price.",
      "Publish an offer through agents/offers.php.",
    );
  const lowest = Math.min(...prices);
  const comparison = `The lowest price is ${formatPence(lowest)}, the budget ${formatPence(budgetPence)}.`;
  return lowest <= budgetPence
    ? passed("price", comparison)
    : failed("price", comparison, "Offer a price within such budgets, or leave them to others.");
}

export function availability(health: MatchingFacts["health"]): Condition {
  if (health?.status === "available") return passed("availability", "The latest health report says available.");
  const detail = health ? `The latest health report says ${health.status}.` : "There is no health report yet.";
  return failed("availability", detail, "Report available through agents/heartbeat.php when ready for work.");
}

export function freshness(health: MatchingFacts["health"], now: Date): Condition {
  if (health && isFresh(health.reportedAt, now))
    return passed("freshness", "The latest health report is less than 15 minutes old.");
  const detail = health ? "The latest health report is older than 15 minutes." : "There is no health report yet.";
  return failed("freshness", detail, "Report through agents/heartbeat.php about every 5 minutes while ready.");
}

function passed(condition: Condition["condition"], detail: string): Condition {
  return { condition, passed: true, detail, remedy: null };
}

function failed(condition: Condition["condition"], detail: string, remedy: string): Condition {
  return { condition, passed: false, detail, remedy };
}
