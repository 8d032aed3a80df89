import type { SettlementWire } from "#lib/settlements/schema.ts";
import { endTransfer } from "#lib/settlements/transfers.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { DONE_BEFORE, isRepeated, takeActId } from "../act-ids.ts";
import type { AdminContext } from "../context.ts";
import { decideCancelling } from "./decide.ts";
import { onSettlement } from "./subject.ts";

type Answer = { preview?: string[]; settlement?: SettlementWire };

type Input = { settlementId: string; actId?: string | undefined; reason: string; preview?: boolean | undefined };

/**
 * Ends a queued transfer: it is not sent, and the settlement's transfer becomes `failed`, unless an earlier one was sent. No money
 * moves, and what the ledger says is payable stays. Cancelling it again changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (not queued, being sent, or the ID of another act)
 */
export function cancelTransfer(ctx: AdminContext, input: Input): Promise<Answer> {
  const { settlementId, actId, reason, preview = false } = input;
  const act = { actId, kind: "cancel_transfer", subjectId: settlementId } as const;
  return onSettlement(ctx, settlementId, async (tx, { settlement, facts, names }): Promise<Answer> => {
    const isDone = (await isRepeated(tx, act)) || settlement.transfer === "failed";
    if (preview) return { preview: isDone ? DONE_BEFORE : decideCancelling(facts, names).lines };
    if (isDone) return { settlement: settlementView(settlement) };
    decideCancelling(facts, names);
    await takeActId(tx, ctx, act);
    await endTransfer(tx, ctx, settlement, { problem: "cancelled", action: "cancel_transfer", reason });
    return { settlement: settlementView(await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } })) };
  });
}
