import type { WireEvent } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { EventType } from "#lib/kernel/event-types.ts";
import { type FeePolicy, splitGross } from "./fee.ts";

type Parties = Pick<Settlement, "id" | "contractId" | "taskId" | "requesterId" | "providerId" | "paymentMode">;

/** An event about a settlement, for the two parties who may read it. */
export function moneyEvent(
  type: Extract<EventType, `${"settlement" | "transfer" | "payout"}.${string}`>,
  { id, contractId, taskId, requesterId, providerId, paymentMode }: Parties,
  data: WireEvent["data"],
  facts?: Record<string, unknown>,
): WireEvent {
  const ids = { settlement_id: id, contract_id: contractId, payment_mode: paymentMode };
  const log = facts && { facts };
  return { type, taskId, recipients: [requesterId, providerId], data: { ...ids, ...data }, log };
}

/** What the settlement comes to, in pence, and its state. */
export function settlementEvent(
  type: "settlement.recorded" | "settlement.approved" | "settlement.void",
  settlement: Settlement,
): WireEvent {
  const { id, contractId, state, funding, transfer, grossPence, feePence, netPence, awardedPence, paymentMode } =
    settlement;
  const figures = {
    gross_pence: grossPence,
    fee_pence: feePence,
    net_pence: netPence,
    ...(awardedPence === null ? {} : { awarded_pence: awardedPence }),
    simulated: paymentMode === "TEST",
  };
  return moneyEvent(
    type,
    settlement,
    { state, funding, transfer, ...figures },
    { settlement_id: id, contract_id: contractId, payment_mode: paymentMode, ...figures, ...awardedShare(settlement) },
  );
}

/** After a split, the log has the fee and net amount of what was awarded, by the policy in the terms; the row keeps what was agreed. */
function awardedShare({ awardedPence, feePolicy }: Settlement) {
  if (awardedPence === null) return {};
  const { feePence, netPence } = splitGross(awardedPence, (feePolicy as FeePolicy).bps);
  return { fee_pence: feePence, net_pence: netPence };
}
