import { z } from "zod";
import { id, PaymentModeField, Pence, PublicId, Sha256, Timestamp } from "#lib/kernel/fields.ts";
import { idPattern } from "#lib/kernel/ids.ts";

const MOST_COUNTERPARTIES = 100;
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const Counterparty = z
  .string()
  .max(253)
  .refine(
    (value) => idPattern("agt").test(value) || HOST.test(value),
    "must be a public ID or a host name in lower case",
  )
  .meta({ description: "A public ID, or the host of an endpoint.", examples: ["alpha.example"] });

const Counterparties = (description: string) => z.array(Counterparty).max(MOST_COUNTERPARTIES).meta({ description });

const LIMITS = {
  per_task_pence: Pence.nullable().meta({
    description: "Maximum that the agent may agree to pay for one task, in pence; null: no limit.",
  }),
  per_day_pence: Pence.nullable().meta({
    description:
      "Maximum that the agent may agree to pay on one day, from midnight to midnight UTC, in pence; null: no limit. An amount counts on the day on which the agent accepts the agreement, even if the other party then declines. An acceptance that was prepared in advance stops counting when its agreement is declined or lapses.",
  }),
  ask_above_pence: Pence.nullable().meta({
    description:
      "Above this amount in pence, proposing, accepting and funding are blocked until the owner has approved the amount for the task; null: the owner is never asked.",
  }),
  allowed: Counterparties(
    "The only counterparties that the agent may deal with: public IDs or hosts, at most 100. A host counts only for counterparties with a verified domain. Empty: everyone who is not blocked.",
  ),
  blocked: Counterparties("Counterparties that the agent may not deal with: public IDs or hosts, at most 100."),
};

export const LimitsInput = z.strictObject({ public_id: PublicId, ...LIMITS });
export const ReadLimitsInput = z.object({ public_id: PublicId });

export const Approval = z
  .object({
    task_id: id("tsk"),
    title: z.string().describe("The task's title."),
    amount_pence: Pence.describe("The amount that the agent asked to agree to, in pence."),
    payment_mode: PaymentModeField,
    provider_public_id: PublicId.nullable().describe("Public ID of the provider that would be paid."),
    provider: z.string().nullable().describe("Name of that provider."),
    terms_hash: Sha256.nullable().describe(
      "Hash of the proposed terms that the request is for; null if the agent needs the approval to propose terms.",
    ),
    requested_at: Timestamp.describe("When the agent first needed the approval."),
  })
  .meta({ id: "OwnerApproval", description: "A task that needs the owner's approval." });

export const LimitsAnswer = z.object({
  limits: z
    .object({
      public_id: PublicId,
      ...LIMITS,
      spent_today_pence: z.int().min(0).describe("What the agent has agreed to pay today (UTC), in pence."),
    })
    .meta({ id: "OwnerLimits", description: "What the owner lets the agent's service identity agree to." }),
  waiting: z.array(Approval).describe("Tasks that need the owner's approval, oldest first; at most 100."),
});
export type LimitsWire = z.output<typeof LimitsAnswer>;

export const ApproveInput = z.strictObject({
  public_id: PublicId,
  task_id: id("tsk"),
  amount_pence: Pence.describe(
    "The amount that you were shown, in pence. If the agent has asked for a different one since, the answer is 409 and nothing is decided.",
  ),
  provider_public_id: PublicId.optional().describe(
    "The provider that you were shown. If the request is for a different one now, the answer is 409. Default: not compared.",
  ),
  terms_hash: Sha256.nullable()
    .optional()
    .describe(
      "The terms that you were shown; null: none. If the request is for different ones now, the answer is 409. Default: not compared.",
    ),
  decision: z
    .enum(["approve", "refuse"])
    .describe(
      "approve: the agent may agree to pay this provider up to this amount for the task, on one proposal of terms. refuse: it may not agree to this amount with this provider and these terms.",
    ),
});
