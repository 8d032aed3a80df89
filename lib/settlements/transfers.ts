import { audit } from "#lib/db/audit.ts";
import type { Settlement, TransferIntent, TransferState } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { moneyEvent } from "./events.ts";

// The transfers of one LIVE settlement: usually one. After a refund or a reversal, an administrator can have another sent.

/** A transfer that is not sent yet, or an act that is not carried out yet. */
export const isOpen = ({ state }: { state: string }) => state === "queued" || state === "sending";
export const IS_OPEN = { state: { in: ["queued" as const, "sending" as const] } };

type Parts = Pick<TransferIntent, "state" | "amountPence" | "reversedPence" | "withheldPence">;

/** What a settlement shows of its transfers together. Pure. */
function transferStateOf(transfers: Parts[]): TransferState {
  if (transfers.some(isOpen)) return "queued";
  const sent = transfers.filter(({ state }) => state === "sent");
  // What was kept for a debt has reached the provider too.
  if (sent.some((each) => each.reversedPence < each.amountPence + each.withheldPence)) return "sent";
  if (sent.length > 0) return "reversed";
  return transfers.length > 0 ? "failed" : "none";
}

/** Updates what the settlement shows of its transfers. The caller holds the task's lock. */
export async function showTransfers(tx: Tx, settlementId: string): Promise<void> {
  const transfers = await tx.transferIntent.findMany({ where: { settlementId } });
  await tx.settlement.update({ where: { id: settlementId }, data: { transfer: transferStateOf(transfers) } });
}

export const BEING_SENT = "The transfer is being sent and Stripe has not answered yet. Try again in a few minutes.";

type Ending = {
  /** Why, as `TransferIntent.problem` keeps it. */
  problem: "void" | "cancelled";
  action: "cancel_transfer" | "end_transfer";
  /** The administrator's. */
  reason?: string;
};

/**
 * Ends the queued transfer of a settlement, which is then never sent, and tells both parties. The settlement shows what is left of
 * its transfers. The caller holds the task's lock.
 * @throws ApiError state_conflict while it is unknown whether it was sent
 */
export async function endTransfer(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  { problem, action, reason }: Ending,
): Promise<void> {
  const open = await tx.transferIntent.findFirst({ where: { settlementId: settlement.id, ...IS_OPEN } });
  if (open?.state !== "queued") throw stateConflict(BEING_SENT);
  await tx.transferIntent.update({ where: { id: open.id }, data: { state: "failed", problem } });
  await showTransfers(tx, settlement.id);
  const data = { amount_pence: open.amountPence };
  await audit(tx, ctx, {
    action,
    subjectKind: "settlement",
    subjectId: settlement.id,
    reason: reason ?? null,
    data,
    event: moneyEvent("transfer.failed", settlement, data),
  });
}
