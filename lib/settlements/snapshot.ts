import { audit } from "#lib/db/audit.ts";
import type { Contract, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { settlementEvent } from "./events.ts";
import { type FeePolicy, splitGross } from "./fee.ts";

/** Records the settlement of an agreement that both parties have accepted, from its frozen terms. */
export async function recordSettlement(tx: Tx, ctx: Context, contract: Contract): Promise<Settlement> {
  const policy = (contract.terms as { fee_policy: FeePolicy }).fee_policy;
  const settlement = await tx.settlement.create({
    data: {
      id: newId("stl"),
      contractId: contract.id,
      taskId: contract.taskId,
      requesterId: contract.requesterId,
      providerId: contract.providerId,
      paymentMode: contract.paymentMode,
      grossPence: contract.amountPence,
      ...splitGross(contract.amountPence, policy.bps),
      feePolicy: policy,
      funding: contract.amountPence === 0 ? "not_required" : "required",
      recordedAt: ctx.clock.now(),
    },
  });
  await audit(tx, ctx, {
    action: "record",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { task_id: contract.taskId },
    event: settlementEvent("settlement.recorded", settlement),
  });
  return settlement;
}
