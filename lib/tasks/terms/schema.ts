import { z } from "zod";
import { ProposedCriteria } from "#lib/kernel/criteria/proposed.ts";
import { FrozenCriterion } from "#lib/kernel/criteria/schema.ts";
import { id, Pence, PublicId, Sha256, Signature, Timestamp, text } from "#lib/kernel/fields.ts";

/** Days; the bounds are part of the contract with the parties. */
export const ReviewDays = z.int().min(1).max(30);

/** Hours. */
export const GraceHours = z.int().min(0).max(720);

/** What a requester proposes, whether to the provider that has claimed its task or to whoever will. */
export const TERMS_FIELDS = {
  scope: text(10_000).describe("Work covered by the contract. At most 10,000 characters."),
  amount_pence: Pence.describe("Amount to agree on, in pence; at most the task's budget. 0: free."),
  acceptance_criteria: ProposedCriteria.describe(
    "Criteria by which the result is accepted: at most 20. Each is text of up to 500 characters, which people judge by, or an object, which the service checks when a result is submitted: see CheckedCriterion for their kinds. At most 5 are of the kind json_schema.",
  ),
  data_terms: text(5_000).describe("What may be done with the data. At most 5,000 characters."),
  due_at: z.iso
    .datetime({ offset: true, message: "must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z" })
    .transform((value) => new Date(value).toISOString())
    // Converting to UTC can move the first and last hours of this calendar out of its four-digit years.
    .refine((value) => /^\d{4}-/.test(value), "must be between the years 0000 and 9999 in UTC")
    .meta({ maxLength: 40, description: "Time by which the work is due: ISO 8601 with a zone. Default: none." })
    .optional(),
  grace_hours: GraceHours.optional().meta({
    description:
      "Only with a due date: hours after it from which the requester may leave if nothing was submitted, 0 to 720. Default: 24.",
  }),
  review_days: ReviewDays.optional().meta({
    description:
      "Review period in days, 1 to 30. The requester has this long to review a submitted result before the service completes the task. Each submission starts it again. Default: none; the task waits for the requester.",
  }),
};
const Terms = z.strictObject(TERMS_FIELDS);
export type TermsInput = z.output<typeof Terms>;

export const ProposeInput = z.strictObject({ public_id: PublicId, task_id: id("tsk"), ...TERMS_FIELDS });
export const AcceptInput = z.strictObject({
  public_id: PublicId,
  contract_id: id("con"),
  terms_hash: Sha256.describe(
    "The hash of the terms that you accept: terms_hash, as read with the contract. It is the SHA-256 of their canonical JSON (RFC 8785), terms_canonical: compute it yourself if you can. sha256: and 64 hexadecimal digits.",
  ),
  signature: Signature.optional().meta({
    description:
      "Ed25519 signature with your published signing_key, base64url. It signs these lines, each ended by a line feed: guildhall.accept/1, the log's origin (first line of GET /log/checkpoint), contract_id, terms_hash. It is kept in the transparency log. Default: none.",
  }),
});
export const DeclineInput = z.strictObject({
  public_id: PublicId,
  contract_id: id("con"),
  reason: text(2_000).describe("Why, for the other party. At most 2,000 characters."),
});

const PREPARED_FIELDS = {
  ...TERMS_FIELDS,
  due_in_hours: z.int().min(1).max(8_760).optional().meta({
    description:
      "In place of due_at: the work is due this many hours after the agreement is proposed, 1 to 8,760. Default: none.",
  }),
};

export const PreparedTerms = z
  .strictObject(PREPARED_FIELDS)
  .superRefine(({ due_at, due_in_hours }, ctx) => {
    if (due_at !== undefined && due_in_hours !== undefined)
      ctx.addIssue({ code: "custom", path: ["due_in_hours"], message: "must not be sent together with due_at" });
  })
  .meta({
    id: "PreparedTerms",
    description: "The fields of contracts/create.php without task_id; due_in_hours may take the place of due_at.",
  });
export type PreparedTermsInput = z.output<typeof PreparedTerms>;

const { amount_pence: _, due_at: __, ...CHOSEN_FIELDS } = PREPARED_FIELDS;

/** What is left to say when a quote has been chosen. */
export const ChosenTerms = z.strictObject(CHOSEN_FIELDS).meta({
  id: "ChosenTerms",
  description: "The fields of contracts/create.php without task_id; amount_pence and due_at come from the quote.",
});
export type ChosenTermsInput = z.output<typeof ChosenTerms>;

export const Accept = z.boolean().describe("Whether you accept the prepared terms in advance. Default: false.");

const ShownTerms = z.object({
  scope: z.string().describe("Work covered by the contract."),
  amount_pence: Pence.describe("Amount to agree on, in pence."),
  acceptance_criteria: z.array(FrozenCriterion).describe("Criteria by which the result is accepted."),
  data_terms: z.string().describe("What may be done with the data."),
  due_at: Timestamp.optional().describe("Time by which the work is due. Absent if there is none."),
  due_in_hours: z.int().optional().describe("Hours from the proposal until the work is due. Absent if there are none."),
  grace_hours: GraceHours.optional().describe(
    "Hours after the due date from which the requester may leave. Absent: 24.",
  ),
  review_days: ReviewDays.optional().describe("Review period in days. Absent if there is none."),
});

/** Prepared terms as a task shows them to its parties. */
export const Prepared = z
  .object({
    terms: ShownTerms.describe("The terms."),
    accept: z.boolean().describe("Whether the requester accepts them in advance."),
    prepared_at: Timestamp.describe("When the requester prepared them."),
  })
  .meta({ id: "Prepared", description: "Terms that are proposed to whoever claims the task, as part of the claim." });

/** The offer that terms were made from. */
export const OfferReferenceField = z
  .object({ offer_id: id("ofr"), revision: z.int().min(1).describe("Revision of the offer.") })
  .meta({ id: "OfferReference", description: "The offer that the task was ordered from." });
export type OfferReference = z.output<typeof OfferReferenceField>;

/** The same as a task's row has it. */
export type PreparedRow = {
  terms: PreparedTermsInput;
  accept: boolean;
  /** ISO 8601. */
  at: string;
  /** The only provider that they are for, if they come from its quote. */
  for?: string;
  /** Where the terms come from: an order. */
  offer?: OfferReference;
  rehearsal?: true;
  /** The requester was told that their due date passed before a claim. */
  told?: true;
};
