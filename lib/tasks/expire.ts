import { actorId } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { STEPS } from "./machine.ts";

const BATCH = 1_000;

/**
 * Writes down the expiry that readers see already: the set-based twin of `advance` for the one step that nobody takes.
 * @returns how many tasks it was
 */
export async function expireDueTasks(ctx: Context): Promise<number> {
  let total = 0;
  for (;;) {
    const done = await expireBatch(ctx);
    total += done;
    if (done < BATCH) return total;
  }
}

function expireBatch(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  return transaction(async (tx) => {
    const due = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM tasks WHERE state = 'open' AND expires_at <= ${now}
      ORDER BY expires_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`;
    if (due.length === 0) return 0;
    const ids = due.map(({ id }) => id);
    await tx.task.updateMany({
      where: { id: { in: ids }, state: "open" },
      data: { state: STEPS.expire.to, updatedAt: now },
    });
    await tx.auditEvent.createMany({
      data: ids.map((id) => ({
        id: newId("evt"),
        at: now,
        actorKind: ctx.actor.kind,
        actorId: actorId(ctx),
        action: "expire",
        subjectKind: "task",
        subjectId: id,
        data: { from: "open", to: STEPS.expire.to },
        requestId: ctx.requestId,
      })),
    });
    return ids.length;
  });
}
