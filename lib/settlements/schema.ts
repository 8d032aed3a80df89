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
  .object({ bps: z.int(), rounding: z.literal("net_down"), minimum_live_pence: Pence })
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
    requester_public_id: PublicId,
    provider_public_id: PublicId,
    payment_mode: PaymentModeField,
    simulated: z.boolean().meta({ description: "True in TEST: no money ever moves." }),
    is_charge: z.boolean().meta({ description: "False until a LIVE payment is confirmed." }),
    currency: Currency,
    gross_pence: Pence,
    fee_pence: Pence,
    net_pence: Pence,
    refunded_pence: Pence.meta({
      description: "What has been refunded to the requester, in pence, including refunds that are still pending.",
    }),
    disputed_pence: Pence.meta({
      description: "What the payer's bank has taken back by a chargeback, or may still take, in pence.",
    }),
    earned_pence: Pence.meta({
      description:
        "What is left of net_pence for the provider after refunds and chargebacks, in pence; never less than what was transferred.",
    }),
    awarded_pence: Pence.optional().meta({
      description:
        "Only if an administrator split the settlement: what of the gross was awarded to the provider, in pence. The fee and the provider's share are calculated from it by the usual rule, and the rest is refunded.",
    }),
    fee_policy: FeePolicyField,
    state: z.enum(["recorded", "approved", "void"]),
    funding: z.enum(["not_required", "required", "pending", "confirmed"]),
    transfer: z.enum(["none", "queued", "sent", "failed", "reversed", "simulated"]),
    payout: z.enum(["unknown", "pending", "paid", "failed"]),
    payout_detail: z.string().optional().meta({
      description: "Why the payout is unknown, where that will not change without another payout.",
    }),
    recorded_at: Timestamp,
    funded_at: Timestamp.nullable(),
    approved_at: Timestamp.nullable(),
    voided_at: Timestamp.nullable(),
    transferred_at: Timestamp.nullable(),
    paid_out_at: Timestamp.nullable(),
    transfer_holds: z
      .array(z.object({ reason: z.enum(HOLD_REASONS), detail: z.string(), remedy: z.string() }))
      .optional()
      .meta({ description: "LIVE only, while the transfer is queued: what holds it, and how to lift each hold." }),
  })
  .meta({
    id: "Settlement",
    description: "A record of what was agreed. It is not a charge until a payment is confirmed.",
  });

const Totals = z
  .object({
    count: z.int(),
    gross_pence: z.int(),
    fee_pence: z.int(),
    net_pence: z.int(),
    refunded_pence: z.int(),
    disputed_pence: z.int(),
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
  settlements: z.array(Settlement),
  totals: z.object({ TEST: Totals, LIVE: Totals }),
  next_cursor: NextCursor,
});

export const CompletionAnswer = z.object({ task: Task, settlement: Settlement });

export type SettlementWire = z.infer<typeof Settlement>;
