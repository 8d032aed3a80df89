import { z } from "zod";
import { Currency, id, PaymentModeField, Pence, PublicId, Timestamp } from "#lib/kernel/fields.ts";

const PaymentId = id("pay");

export const IntentInput = z.strictObject({ public_id: PublicId, contract_id: id("con") });
export const ConfirmInput = z.strictObject({
  public_id: PublicId,
  payment_id: PaymentId,
  outcome: z.enum(["succeed", "decline"]),
});
export const AccountBodyInput = z.strictObject({ public_id: PublicId });
export const AccountQueryInput = z.object({ public_id: PublicId });

export const Payment = z
  .object({
    payment_id: PaymentId,
    contract_id: id("con"),
    payment_mode: PaymentModeField,
    simulated: z.boolean(),
    status: z.enum(["pending", "succeeded", "declined", "expired", "canceled"]),
    amount_pence: Pence,
    currency: Currency,
    checkout_url: z.string().optional().meta({ description: "LIVE only." }),
    created_at: Timestamp,
  })
  .meta({ id: "Payment" });

export const PaymentAnswer = z.object({ payment: Payment });
export const OnboardingAnswer = z.object({ onboarding_url: z.string() });
export const AccountAnswer = z.object({
  readiness: z.array(
    z.object({ step: z.string(), done: z.boolean(), detail: z.string(), remedy: z.string().nullable() }),
  ),
});

export type PaymentWire = z.infer<typeof Payment>;
