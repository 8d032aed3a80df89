import { z } from "zod";
import {
  Currency,
  Cursor,
  id,
  Limit,
  NextCursor,
  PaymentModeField,
  Pence,
  PublicId,
  Timestamp,
} from "#lib/kernel/fields.ts";
import { Task } from "#lib/tasks/schema.ts";
import { HOLD_REASONS } from "./holds.ts";

export const FeePolicyField = z
  .object({
    bps: z.int().describe("The fee in basis points (hundredths of a per cent) of the gross amount."),
    rounding: z.literal("net_down").describe("The provider's part is rounded down to the penny."),
    minimum_live_pence: Pence.describe("The smallest LIVE amount at the time, in pence."),
  })
  .meta({
    id: "FeePolicy",
    description:
      "bps: the fee in hundredths of a per cent of the gross. net_down: the net is rounded down to the penny.",
  });

export const Settlement = z
  .object({
    settlement_id: id("stl"),
    contract_id: id("con"),
    task_id: id("tsk"),
    requester_public_id: PublicId.describe("Public ID of the requester."),
    provider_public_id: PublicId.describe("Public ID of the provider."),
    payment_mode: PaymentModeField,
    simulated: z.boolean().meta({ description: "True in TEST: no money ever moves." }),
    is_charge: z.boolean().meta({ description: "False until a LIVE payment is confirmed." }),
    currency: Currency,
    gross_pence: Pence.describe("Agreed amount, in pence."),
    fee_pence: Pence.describe("The platform's fee, in pence; after a split, of what was awarded."),
    net_pence: Pence.describe("The provider's part, in pence: gross minus fee; after a split, of what was awarded."),
    refunded_pence: Pence.meta({
      description: "What has been refunded to the requester, in pence, including refunds that are still pending.",
    }),
    disputed_pence: Pence.meta({
      description: "What the payer's bank has taken back by a chargeback, or may still take, in pence.",
    }),
    refund_due_pence: Pence.optional().meta({
      description:
        "Only if it is not 0: what is still to be refunded to the requester of a void or split settlement, in pence. After a party left or gave up the task, and after a split, the refund is ordered automatically.",
    }),
    earned_pence: Pence.meta({
      description:
        "What is left of net_pence for the provider after refunds and chargebacks, in pence; never less than what was transferred.",
    }),
    awarded_pence: Pence.optional().meta({
      description:
        "Only if an administrator split the settlement: what of the gross was awarded to the provider, in pence. The fee and the provider's share are calculated from it by the usual rule, and the rest is refunded.",
    }),
    debt_pence: Pence.optional().meta({
      description:
        "Only if it is not 0: what the provider still owes the platform of this settlement, in pence, because money went back to the payer and the provider's account could not return its part. It is kept from the provider's later transfers.",
    }),
    withheld_pence: Pence.optional().meta({
      description:
        "Only if it is not 0: what was kept from this settlement's transfer for a debt of the provider, in pence. It counts as received.",
    }),
    fee_policy: FeePolicyField,
    state: z
      .enum(["recorded", "approved", "void"])
      .describe(
        "recorded: both parties accepted. approved: the requester confirmed completion. void: the task was cancelled.",
      ),
    funding: z
      .enum(["not_required", "required", "pending", "confirmed"])
      .describe("Whether the amount has been paid in. Only confirmed means that it has."),
    transfer: z
      .enum(["none", "queued", "sent", "failed", "reversed", "simulated"])
      .describe(
        "Whether the net amount has been transferred to the provider's payment account. Only sent means that it has; simulated is TEST.",
      ),
    payout: z
      .enum(["unknown", "pending", "paid", "failed"])
      .describe("Whether the money has reached the provider's bank."),
    payout_detail: z.string().optional().meta({
      description: "Why the payout is unknown, where that will not change without another payout.",
    }),
    recorded_at: Timestamp.describe("When the second party accepted the terms."),
    funded_at: Timestamp.nullable().describe("When the payment was confirmed; null if not yet."),
    approved_at: Timestamp.nullable().describe("When the requester confirmed completion; null if not yet."),
    voided_at: Timestamp.nullable().describe("When the settlement became void; null if it is not."),
    transferred_at: Timestamp.nullable().describe("When the transfer was made, or simulated; null if not yet."),
    paid_out_at: Timestamp.nullable().describe("When the payout arrived; null if not yet."),
    transfer_holds: z
      .array(
        z.object({
          reason: z.enum(HOLD_REASONS).describe("What holds the transfer."),
          detail: z.string().describe("Explanation, in a sentence."),
          remedy: z.string().describe("What to do about it."),
        }),
      )
      .optional()
      .meta({ description: "LIVE only, while the transfer is queued: what holds it, and how to lift each hold." }),
  })
  .meta({
    id: "Settlement",
    description: "A record of what was agreed. It is not a charge until a payment is confirmed.",
  });

const Totals = z
  .object({
    count: z.int().describe("Number of settlements."),
    gross_pence: z.int().describe("Agreed amounts, in pence, without what was refunded or is disputed."),
    fee_pence: z.int().describe("The platform's fees, in pence."),
    net_pence: z.int().describe("The providers' parts, in pence."),
    refunded_pence: z
      .int()
      .describe("Amounts refunded to requesters, in pence, including refunds that are still pending."),
    disputed_pence: z
      .int()
      .describe("Amounts that payers' banks have taken back by chargebacks, or may still take, in pence."),
  })
  .meta({
    id: "SettlementTotals",
    description:
      "Sums in pence over the caller's settlements in this mode, except void ones. gross_pence leaves out what was refunded or is disputed; fee_pence and net_pence leave out what was taken back for that.",
  });

export const MySettlementsInput = z.object({
  public_id: PublicId.optional(),
  contract_id: id("con").optional().meta({ description: "Only the settlement of this agreement." }),
  cursor: Cursor.optional(),
  limit: Limit,
});
export const MySettlementsAnswer = z.object({
  settlements: z.array(Settlement).describe("One page of settlements."),
  totals: z
    .object({ TEST: Totals.describe("TEST settlements: simulated."), LIVE: Totals.describe("LIVE settlements.") })
    .describe("Sums over settlements that are not void, by payment mode."),
  next_cursor: NextCursor,
});

export const FeeStatementInput = z.object({ public_id: PublicId, settlement_id: id("stl") });

export const FeeStatement = z
  .object({
    statement_id: id("stl").describe("The settlement's ID, which names the statement too."),
    date: Timestamp.describe("When the fee was charged: the task's completion."),
    supplier: z
      .object({
        name: z.string().nullable().describe("The operator's name; null if not configured."),
        address: z.string().nullable().describe("The operator's address; null if not configured."),
        vat_number: z.string().nullable().describe("The operator's VAT number; null if no VAT is claimed."),
      })
      .describe("Who charges the fee."),
    customer: z
      .object({ public_id: PublicId, name: z.string().describe("Name of the provider.") })
      .describe("Who pays the fee: the provider."),
    task_id: id("tsk"),
    contract_id: id("con"),
    currency: Currency,
    gross_pence: Pence.describe("Agreed amount, in pence."),
    refunded_pence: Pence.describe("What of it was refunded, in pence."),
    disputed_pence: Pence.describe("What of it was charged back, or may be, in pence."),
    fee_bps: z.int().describe("The fee in basis points (hundredths of a per cent)."),
    fee_pence: Pence.describe("The fee after refunds, chargebacks and splits, with VAT if any is claimed, in pence."),
    vat: z
      .object({
        percent: z.number().describe("The rate, in per cent."),
        vat_pence: Pence.describe("The VAT that the fee contains, in pence."),
        ex_vat_pence: Pence.describe("The fee without VAT, in pence. Both add up to fee_pence."),
      })
      .nullable()
      .describe("Null if the operator claims no VAT."),
  })
  .meta({ id: "FeeStatement", description: "What the platform charged for a settlement." });

export const FeeStatementAnswer = z.object({
  statement: FeeStatement,
  html: z.string().describe("The same as a complete HTML page, to save and print."),
});

export const CompletionAnswer = z.object({ task: Task, settlement: Settlement });

export type SettlementWire = z.infer<typeof Settlement>;
