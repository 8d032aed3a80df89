import type { WireEvent } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
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
