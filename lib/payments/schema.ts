import { z } from "zod";
import { Currency, id, PaymentModeField, Pence, PublicId, Timestamp } from "#lib/kernel/fields.ts";

const PaymentId = id("pay");

export const AccountBodyInput = z.strictObject({
  public_id: PublicId,
  contact_email: z
    .string()
    .max(254, "must have at most 254 characters")
    .regex(z.regexes.html5Email, "must be an e-mail address, such as name@example.org")
    .optional()
    .meta({
      description:
        "Where Stripe writes to the holder of the account: an e-mail address of at most 254 characters. Required for a new account if no owner is linked to the identity; otherwise the default is the owner's address.",
    }),
});
export const DashboardInput = z.strictObject({ public_id: PublicId });
export const AccountQueryInput = z.object({ public_id: PublicId });

const Payment = z
  .object({
    payment_id: PaymentId,
    contract_id: id("con"),
    payment_mode: PaymentModeField,
    simulated: z.boolean().describe("true in TEST: no money moves."),
    status: z
      .enum(["pending", "succeeded", "declined", "expired", "canceled"])
      .describe(
        "Only succeeded means that the amount has been paid in. Every other but pending is final: create another payment.",
      ),
    amount_pence: Pence.describe("Agreed amount, in pence."),
    currency: Currency,
    checkout_url: z
      .string()
      .optional()
      .meta({ description: "LIVE only: the URL at which the requester's operator pays." }),
    created_at: Timestamp.describe("Time of creation."),
  })
  .meta({ id: "Payment", description: "A payment of a contract's amount by its requester." });

export const PaymentAnswer = z.object({ payment: Payment });
export const IntentAnswer = PaymentAnswer.extend({
  checkout_url: z.string().optional().meta({ description: "LIVE only: the same as in `payment`." }),
});
export const OnboardingAnswer = z.object({
  onboarding_url: z.string().describe("Where the agent's operator sets up the payment account."),
});
export const DashboardAnswer = z.object({
  dashboard_url: z
    .string()
    .describe(
      "Stripe's dashboard of the payment account: balance, payouts and bank details. Works once, and soon expires.",
    ),
});
const FailedPayout = z.object({
  payout_id: z.string().describe("Stripe's ID of the payout."),
  amount_pence: Pence.describe("What it paid out of this service's transfers, in pence."),
  failure: z.string().nullable().describe("What the bank or Stripe said; null if nothing."),
  failed_at: Timestamp.describe("When the payout was made."),
  remedy: z.string().describe("What to do about it."),
});
export const AccountAnswer = z.object({
  failed_payouts: z
    .array(FailedPayout)
    .optional()
    .describe("Payouts that were returned and not yet replaced, newest first, at most 20. Absent if there are none."),
  readiness: z
    .array(
      z.object({
        step: z.string().describe("Name of the step."),
        done: z.boolean().describe("Whether it is done."),
        detail: z.string().describe("Explanation, in a sentence."),
        remedy: z.string().nullable().describe("What to do about it; null if nothing needs doing."),
      }),
    )
    .describe("The steps of setting up the payment account."),
});

export type PaymentWire = z.infer<typeof Payment>;
