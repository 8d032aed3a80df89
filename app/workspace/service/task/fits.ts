import type { ContractWire } from "#lib/contracts/schema.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** What belongs to a task: the agreement, its settlement, and the disputes in which the reader is a party, newest first. */
export type Parts = { contract: ContractWire | null; settlement: SettlementWire | null; disputes: DisputeWire[] };
/** Whether the parts say the same as the task. Pure. */
export function fits(task: TaskWire, { contract, settlement, disputes }: Parts): boolean {
  return agreementFits(task, contract) && moneyFits(task, settlement) && disputesFit(task, disputes);
}

function agreementFits({ agreement }: TaskWire, contract: ContractWire | null): boolean {
  if (!agreement || !contract) return !agreement && !contract;
  return (
    agreement.contract_id === contract.contract_id &&
    agreement.state === contract.state &&
    agreement.requester_accepted_at === contract.requester_accepted_at &&
    agreement.provider_accepted_at === contract.provider_accepted_at
  );
}

function moneyFits(task: TaskWire, settlement: SettlementWire | null): boolean {
  if ((task.settlement_id ?? null) !== (settlement?.settlement_id ?? null)) return false;
  if (!settlement) return true;
  if (task.state === "cancelled") return settlement.state === "void";
  if (task.state === "completed") return settlement.state !== "recorded";
  if (settlement.state !== "recorded") return false;
  if (task.state !== "accepted") return true;
  const isUnfunded = settlement.funding === "required" || settlement.funding === "pending";
  const waits = task.available_actions.some(
    ({ action, blocked_by: obstacles }) =>
      action === "fund" || action === "confirm" || obstacles.some(({ reason }) => reason === "funding_required"),
  );
  return isUnfunded === waits;
}

function disputesFit({ dispute_id: open = null }: TaskWire, disputes: readonly DisputeWire[]): boolean {
  return disputes.every(({ dispute_id: id, state }) => (state === "open") === (id === open));
}
