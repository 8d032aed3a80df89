import { lockContract } from "#lib/contracts/read.ts";
import { audit } from "#lib/db/audit.ts";
import type { Payment } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import type { Charge, LiveGateway } from "../gateway/port.ts";

/**
 * Reads and records what warns of fraud about a payment. An open warning holds its transfer, until Stripe closes it or an administrator
 * decides that the transfer is sent. Whatever a later reading has recorded stays.
 * @throws ProcessorError
 */
export async function readWarnings(
  ctx: Context,
  gateway: LiveGateway,
  { id: paymentId, contractId }: Payment,
  charge: Charge,
): Promise<void> {
  const since = ctx.clock.now();
  const warnings = await gateway.readWarnings(charge);
  if (warnings.length === 0) return;
  await transaction(async (tx) => {
    const locked = await lockContract(tx, contractId);
    for (const { id, kind, isOpen, createdAt } of warnings) {
      const known = await tx.paymentWarning.findUnique({ where: { id } });
      if (known && (known.updatedAt > since || known.open === isOpen)) continue;
      const now = { open: isOpen, updatedAt: since };
      await tx.paymentWarning.upsert({
        where: { id },
        create: { id, paymentId, kind, createdAt, ...now },
        update: now,
      });
      await audit(tx, ctx, {
        action: kind,
        subjectKind: "payment",
        subjectId: paymentId,
        data: { stripe_id: id, open: isOpen },
      });
      if (known && !isOpen && locked) await wakeTransfers(tx, locked.task.id);
    }
  });
}
