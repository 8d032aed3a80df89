import type { WireEvent } from "#lib/db/audit.ts";
import type { Payment, Settlement } from "#lib/db/generated/client.ts";
import type { EventType } from "#lib/kernel/event-types.ts";

type Parties = Pick<Settlement, "taskId" | "requesterId" | "providerId">;

/**
 * An event about a payment, for the two parties of its settlement. Of a refund or a chargeback, `data` has the amount that went back.
 * @param isLogged whether the log records it as a fact: by default, where its type says that money moved
 */
export function paymentEvent(
  type: Extract<EventType, `payment.${string}`>,
  { id, contractId, paymentMode, amountPence, status }: Payment,
  { taskId, requesterId, providerId }: Parties,
  data: WireEvent["data"] = {},
  isLogged = IN_LOG.has(type),
): WireEvent {
  const facts = {
    payment_id: id,
    amount_pence: amountPence,
    payment_mode: paymentMode,
    simulated: paymentMode === "TEST",
  };
  const all = { ...facts, contract_id: contractId, status, ...data };
  return {
    type,
    taskId,
    recipients: [requesterId, providerId],
    data: all,
    log: isLogged ? { facts: { ...facts, amount_pence: all.amount_pence } } : undefined,
  };
}

/** Payments that moved money, or in TEST stand for that. */
const IN_LOG: ReadonlySet<EventType> = new Set(["payment.confirmed", "payment.refunded", "payment.disputed"]);
