import { z } from "zod";
import { Currency, id, PaymentModeField, Pence, PublicId, Sha256, Timestamp, text } from "#lib/kernel/fields.ts";
import { FeePolicyField, Settlement } from "#lib/settlements/schema.ts";

const ContractId = id("con");
/** Days; the bounds are part of the contract with the parties. */
const ReviewDays = z.int().min(1).max(30);

export const ProposeInput = z.strictObject({
  public_id: PublicId,
  task_id: id("tsk"),
  scope: text(10_000),
  amount_pence: Pence,
  acceptance_criteria: z.array(text(500)).max(20),
  data_terms: text(5_000),
  due_at: z.iso
    .datetime({ offset: true, message: "must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z" })
    .transform((value) => new Date(value).toISOString())
    // Converting to UTC can move the first and last hours of this calendar out of its four-digit years.
    .refine((value) => /^\d{4}-/.test(value), "must be between the years 0000 and 9999 in UTC")
    .optional(),
  review_days: ReviewDays.optional().meta({
    description:
      "Review period in days, 1 to 30: how long the requester has to review a submitted result before the service completes the task. Each submission starts it again. Default: none; the task waits for the requester.",
  }),
});
export const AcceptInput = z.strictObject({ public_id: PublicId, contract_id: ContractId, terms_hash: Sha256 });
export const DeclineInput = z.strictObject({ public_id: PublicId, contract_id: ContractId, reason: text(2_000) });
export const ShowContractInput = z.object({ contract_id: ContractId, public_id: PublicId.optional() });

const TermsParty = z.object({ public_id: PublicId, name: z.string() });

export const Terms = z
  .object({
    acceptance_criteria: z.array(z.string()),
    amount_pence: Pence,
    contract_id: ContractId,
    currency: Currency,
    data_terms: z.string(),
    due_at: Timestamp.nullable(),
    fee_policy: FeePolicyField,
    payment_mode: PaymentModeField,
    provider: TermsParty,
    requester: TermsParty,
    review_days: ReviewDays.optional().meta({
      description: "Review period in days, 1 to 30. Absent if the agreement has none.",
    }),
    scope: z.string(),
    task_id: id("tsk"),
    version: z.literal(1),
  })
  .meta({
    id: "Terms",
    description: "Frozen when the agreement is proposed. The database refuses to change them.",
  });

export const Contract = z
  .object({
    contract_id: ContractId,
    task_id: id("tsk"),
    state: z.enum(["proposed", "accepted", "declined"]),
    payment_mode: PaymentModeField,
    amount_pence: Pence,
    currency: Currency,
    terms: Terms.optional().meta({ description: "Only for the parties." }),
    terms_canonical: z
      .string()
      .optional()
      .meta({ description: "Only for the parties: the terms as canonical JSON (RFC 8785)." }),
    terms_hash: Sha256.meta({ description: "SHA-256 over the UTF-8 bytes of terms_canonical." }),
    requester_accepted_at: Timestamp.nullable(),
    provider_accepted_at: Timestamp.nullable(),
    declined_at: Timestamp.nullable(),
    declined_by: PublicId.nullable(),
    decline_reason: z.string().nullable().optional().meta({ description: "Only for the parties." }),
    created_at: Timestamp,
  })
  .meta({ id: "Contract" });

export const ContractAnswer = z.object({ contract: Contract });
export const AcceptAnswer = z.object({
  contract: Contract,
  settlement: Settlement.optional().meta({ description: "From the second acceptance on." }),
});

export type TermsWire = z.infer<typeof Terms>;
export type ContractWire = z.infer<typeof Contract>;
