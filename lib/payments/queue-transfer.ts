import type { Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { enqueueTransfer } from "./schedule.ts";

/** Plans the transfer of an approved LIVE settlement, in the transaction that approves it. */
export async function queueTransfer(tx: Tx, ctx: Context, settlement: Settlement): Promise<Settlement> {
  // A price of a penny leaves nothing for the provider.
  if (settlement.netPence === 0) return settlement;
  await tx.transferIntent.create({
    data: {
      id: newId("trf"),
      settlementId: settlement.id,
      providerId: settlement.providerId,
      amountPence: settlement.netPence,
      createdAt: ctx.clock.now(),
    },
  });
  await enqueueTransfer(tx, settlement.id);
  return tx.settlement.update({ where: { id: settlement.id }, data: { transfer: "queued" } });
}
