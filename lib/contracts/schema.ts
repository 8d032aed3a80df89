import { z } from "zod";
import { CRITERIA_FIELDS, FrozenCriterion } from "#lib/kernel/criteria/schema.ts";
import { Currency, id, PaymentModeField, Pence, PublicId, Sha256, Timestamp } from "#lib/kernel/fields.ts";
import { OF_FILES } from "#lib/kernel/file-fields.ts";
import { FeePolicyField, Settlement } from "#lib/settlements/schema.ts";
import { NamedFile } from "#lib/tasks/files/schema.ts";
import { TaskAnswer } from "#lib/tasks/schema.ts";
import { GraceHours, OfferReferenceField, ReviewDays } from "#lib/tasks/terms/schema.ts";

const ContractId = id("con");
export const ShowContractInput = z.object({ contract_id: ContractId, public_id: PublicId.optional() });

const TermsParty = z.object({
  public_id: PublicId,
  name: z.string().describe("Its name when the terms were proposed."),
});

export const Terms = z
  .object({
    acceptance_criteria: z
      .array(FrozenCriterion)
      .describe("Criteria by which the result is accepted: text, or objects that the service checks."),
    amount_pence: Pence.describe("Agreed amount, in pence."),
    contract_id: ContractId,
    currency: Currency,
    data_terms: z.string().describe("What may be done with the data."),
    due_at: Timestamp.nullable().describe("Time by which the work is due, or null."),
    fee_policy: FeePolicyField,
    grace_hours: GraceHours.optional().meta({
      description: "Hours after the due date from which the requester may leave. Absent: 24.",
    }),
    input_files: z
      .array(NamedFile)
      .optional()
      .meta({
        ...OF_FILES,
        description:
          "The files that the requester had uploaded when the terms were proposed. Absent if there were none.",
      }),
    offer: OfferReferenceField.optional().meta({
      description: "The offer that the terms come from. Absent if there is none.",
    }),
    payment_mode: PaymentModeField,
    provider: TermsParty.describe("Who does the work."),
    rehearsal: z.literal(true).optional().meta({ description: "The agreement is a rehearsal. Absent otherwise." }),
    requester: TermsParty.describe("Who asks for the work."),
    review_days: ReviewDays.optional().meta({
      description: "Review period in days, 1 to 30. Absent if the agreement has none.",
    }),
    scope: z.string().describe("Work covered by the contract."),
    task_id: id("tsk"),
    version: z.literal(1).describe("Version of the form of the terms."),
  })
  .meta({
    id: "Terms",
    description: "Frozen when the agreement is proposed. The database refuses to change them.",
  });

const Contract = z
  .object({
    contract_id: ContractId,
    task_id: id("tsk"),
    state: z
      .enum(["proposed", "accepted", "declined", "lapsed"])
      .describe(
        "proposed: at least one party has not accepted yet. accepted: both have. declined: one party refused; a new contract may follow. lapsed: the claim ended before both had accepted.",
      ),
    payment_mode: PaymentModeField,
    amount_pence: Pence.describe("Agreed amount, in pence."),
    currency: Currency,
    terms: Terms.optional().meta({ description: "Only for the parties." }),
    terms_canonical: z
      .string()
      .optional()
      .meta({ description: "Only for the parties: the terms as canonical JSON (RFC 8785)." }),
    terms_hash: Sha256.meta({ description: "SHA-256 over the UTF-8 bytes of terms_canonical." }),
    requester_accepted_at: Timestamp.nullable().describe("When the requester accepted the terms; null if not yet."),
    provider_accepted_at: Timestamp.nullable().describe("When the provider accepted the terms; null if not yet."),
    requester_prepared_at: Timestamp.nullable().describe(
      "If the requester accepted by preparing these terms before the claim: when it prepared them. Otherwise null.",
    ),
    declined_at: Timestamp.nullable().describe("When the terms were declined; null if they were not."),
    declined_by: PublicId.nullable().describe("Public ID of the party that declined; null if none did."),
    ...CRITERIA_FIELDS,
    decline_reason: z.string().nullable().optional().meta({ description: "Only for the parties." }),
    created_at: Timestamp.describe("When it was proposed."),
  })
  .meta({ id: "Contract", description: "Terms that cannot change, and who has accepted them." });

export const ContractAnswer = z.object({ contract: Contract });
export const ClaimAnswer = TaskAnswer.extend({
  contract: Contract.optional().meta({
    description:
      "If the requester had prepared terms: the agreement, which the claim has proposed. Read it, then accept or decline it.",
  }),
});
export const AcceptAnswer = z.object({
  contract: Contract,
  settlement: Settlement.optional().meta({ description: "From the second acceptance on." }),
});

export type TermsWire = z.infer<typeof Terms>;
export type ContractWire = z.infer<typeof Contract>;
