import type { Payment } from "#lib/db/generated/client.ts";
import { iso } from "#lib/kernel/clock.ts";
import type { PaymentWire } from "./schema.ts";

export function paymentView(payment: Payment): PaymentWire {
  return {
    payment_id: payment.id,
    contract_id: payment.contractId,
    payment_mode: payment.paymentMode,
    simulated: payment.paymentMode === "TEST",
    status: payment.status,
    amount_pence: payment.amountPence,
    currency: "GBP",
    ...(payment.checkoutUrl ? { checkout_url: payment.checkoutUrl } : {}),
    created_at: iso(payment.createdAt),
  };
}
