import { audit } from "#lib/db/audit.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { moneyEvent } from "#lib/settlements/events.ts";

/**
 * Records what holds a queued transfer, once: the sweep looks at held transfers again and again, and says so only when the
 * reasons have changed. The caller holds the task's lock.
 */
export async function noteHold(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  amountPence: number,
  reasons: string[],
): Promise<void> {
  const last = await tx.auditEvent.findFirst({
    where: { subjectId: settlement.id, type: { startsWith: "transfer." } },
    orderBy: { seq: "desc" },
    select: { type: true, eventData: true },
  });
  const known = last?.type === "transfer.held" ? (last.eventData as { reasons?: string[] }).reasons : undefined;
  if (reasons.length === 0 || known?.join() === reasons.join()) return;
  await audit(tx, ctx, {
    action: "transfer_held",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { reasons },
    event: moneyEvent("transfer.held", settlement, { amount_pence: amountPence, reasons }),
  });
}
