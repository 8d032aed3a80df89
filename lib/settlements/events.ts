import type { WireEvent } from "#lib/db/audit.ts";
import type { Payment, Settlement } from "#lib/db/generated/client.ts";
import type { EventType } from "#lib/kernel/event-types.ts";
import { figuresOf } from "./view.ts";

type Parties = Pick<Settlement, "id" | "contractId" | "taskId" | "requesterId" | "providerId" | "paymentMode">;

/**
 * An event about a settlement, for the two parties who may read it.
 * @param facts what the log records of it, which leaves out simulated transfers and payouts
 */
export function moneyEvent(
  type: Extract<EventType, `${"settlement" | "transfer" | "payout"}.${string}`>,
  { id, contractId, taskId, requesterId, providerId, paymentMode }: Parties,
  data: WireEvent["data"],
  facts?: Record<string, unknown>,
): WireEvent {
  const ids = { settlement_id: id, contract_id: contractId, payment_mode: paymentMode };
  const isLogged = facts && (type.startsWith("settlement.") || paymentMode === "LIVE");
  const log = isLogged ? { facts } : undefined;
  return { type, taskId, recipients: [requesterId, providerId], data: { ...ids, ...data }, log };
}

/** That so much was transferred to the provider, or came back from there. */
export const transferEvent = (type: "transfer.sent" | "transfer.reversed", settlement: Settlement, pence: number) =>
  moneyEvent(type, settlement, { amount_pence: pence }, { amount_pence: pence });

/** What the settlement comes to, in pence, and its state. */
export function settlementEvent(
  type: "settlement.recorded" | "settlement.approved" | "settlement.void",
  settlement: Settlement,
): WireEvent {
  const { id, contractId, state, funding, transfer, paymentMode } = settlement;
  const figures = { ...figuresOf(settlement), simulated: paymentMode === "TEST" };
  return moneyEvent(
    type,
    settlement,
    { state, funding, transfer, ...figures },
    { settlement_id: id, contract_id: contractId, payment_mode: paymentMode, ...figures },
  );
}

/**
 * An event about a payment, for the two parties of its settlement. Of a refund or a chargeback, `data` has the amount that went back.
 * @param isLogged whether the log records it as a fact: by default, where its type says that money moved
 */
export function paymentEvent(
  type: Extract<EventType, `payment.${string}`>,
  { id, contractId, paymentMode, amountPence, status }: Payment,
  { taskId, requesterId, providerId }: Pick<Settlement, "taskId" | "requesterId" | "providerId">,
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
