import { audit } from "#lib/db/audit.ts";
import { moneyEvent } from "#lib/settlements/events.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { endTransfer, showTransfers } from "#lib/settlements/transfers.ts";
import { settlementView } from "#lib/settlements/view.ts";
import type { AdminContext } from "./context.ts";
import { decideCancelling } from "./money/decide.ts";
import { onSettlement } from "./money/subject.ts";

type Answer = { preview?: string[]; settlement?: SettlementWire };

type Input = { settlementId: string; reason: string; preview?: boolean | undefined };

/**
 * Ends a queued transfer: it is not sent, and the settlement's transfer becomes `failed`, unless an earlier one was sent. No money
 * moves, and what the ledger says is payable stays. Cancelling it again changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (not queued, or being sent)
 */
export function cancelTransfer(ctx: AdminContext, { settlementId, reason, preview = false }: Input): Promise<Answer> {
  return onSettlement(ctx, settlementId, async (tx, { settlement, facts, names }): Promise<Answer> => {
    if (settlement.transfer === "failed") return { settlement: settlementView(settlement) };
    const { lines } = decideCancelling(facts, names);
    if (preview) return { preview: lines };
    const ended = await endTransfer(tx, settlementId, "cancelled");
    await showTransfers(tx, settlementId);
    await audit(tx, ctx, {
      action: "cancel_transfer",
      subjectKind: "settlement",
      subjectId: settlementId,
      reason,
      data: { amount_pence: ended.amountPence },
      event: moneyEvent("transfer.failed", settlement, { amount_pence: ended.amountPence }),
    });
    return { settlement: settlementView(await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } })) };
  });
}
