import type { WireEvent } from "#lib/db/audit.ts";
import type { Payment, Settlement } from "#lib/db/generated/client.ts";
import type { EventType } from "#lib/kernel/event-types.ts";

type Parties = Pick<Settlement, "taskId" | "requesterId" | "providerId">;

/** An event about a payment, for the two parties of its settlement. */
export function paymentEvent(
  type: Extract<EventType, `payment.${string}`>,
  { id, contractId, paymentMode, amountPence, status }: Payment,
  { taskId, requesterId, providerId }: Parties,
  data: WireEvent["data"] = {},
): WireEvent {
  return {
    type,
    taskId,
    recipients: [requesterId, providerId],
    data: {
      payment_id: id,
      contract_id: contractId,
      payment_mode: paymentMode,
      simulated: paymentMode === "TEST",
      amount_pence: amountPence,
      status,
      ...data,
    },
  };
}
