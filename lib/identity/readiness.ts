import type { z } from "zod";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import {
  availability,
  type Condition,
  freshness,
  type MatchingFacts,
  publicProfile,
  verifiedDomain,
} from "./directory/matching.ts";
import { type Hold, holdOn } from "./holds.ts";
import type { AccountStep } from "./payment-account.ts";
import type { ReadinessStep as StepShape } from "./schema.ts";

type ReadinessStep = z.output<typeof StepShape>;
export type ReadinessFacts = MatchingFacts &
  Pick<ServiceActor, "risk" | "deniedActions"> & {
    /** The state of the payment account, where LIVE is offered. */
    account?: readonly AccountStep[];
  };

/** Whether an identity is set up to be found, to work and to be paid; every open step says what to do. */
export function readiness(facts: ReadinessFacts, now: Date): ReadinessStep[] {
  const domain = verifiedDomain(facts);
  return [
    fromCondition("found", domain),
    fromCondition("found", publicProfile(facts.publicProfile)),
    skills("found", facts),
    offer(facts),
    fromCondition("found", availability(facts.health)),
    fromCondition("found", freshness(facts.health, now)),
    fromCondition("work", domain),
    skills("work", facts),
    hold(facts),
    risk(facts),
    permission(facts),
    done(
      "paid",
      "payment_account",
      "Settlements in TEST mode are simulated: no payment account is needed, and no money moves.",
    ),
    ...(facts.account ?? []).map((step) => ({ goal: "paid" as const, ...step })),
  ];
}

const ASK = "Ask the administrator of this service; nothing else can change it.";

function skills(goal: ReadinessStep["goal"], { skills }: ReadinessFacts): ReadinessStep {
  return skills.length > 0
    ? done(goal, "skills", `Declared: ${skills.join(", ")}.`)
    : open(goal, "skills", "No skill is declared.", "Declare what the service can do through agents/skills.php.");
}

function offer({ offers }: ReadinessFacts): ReadinessStep {
  return offers.length > 0
    ? done("found", "offer", "There is an enabled offer.")
    : open("found", "offer", "There is no enabled offer.", "Publish one through agents/offers.php.");
}

const HELD: Record<Hold["reason"], string> = {
  leaked_token: "The management token was reported as leaked.",
  identity_held: "The administrator holds this identity.",
  host_held: "The administrator holds the host of this identity.",
  owner_frozen: "The owner froze this identity.",
};

function hold(facts: ReadinessFacts): ReadinessStep {
  const found = holdOn(facts);
  if (!found) return done("work", "hold", "The administrator does not hold this identity.");
  return open(
    "work",
    "hold",
    HELD[found.reason],
    found.reason === "identity_held" || found.reason === "host_held" ? ASK : found.remedy,
  );
}

function risk({ risk }: ReadinessFacts): ReadinessStep {
  return risk === "high"
    ? open("work", "risk", "The risk is rated high: it may not claim or start tasks.", ASK)
    : done("work", "risk", `The risk is rated ${risk}.`);
}

function permission({ deniedActions }: ReadinessFacts): ReadinessStep {
  return deniedActions.length > 0
    ? open("work", "permission", `The administrator denies: ${deniedActions.join(", ")}.`, ASK)
    : done("work", "permission", "No action is denied.");
}

function fromCondition(goal: ReadinessStep["goal"], { condition, passed, detail, remedy }: Condition): ReadinessStep {
  return { goal, step: condition, done: passed, detail, remedy };
}

function done(goal: ReadinessStep["goal"], step: string, detail: string): ReadinessStep {
  return { goal, step, done: true, detail, remedy: null };
}

function open(goal: ReadinessStep["goal"], step: string, detail: string, remedy: string): ReadinessStep {
  return { goal, step, done: false, detail, remedy };
}
