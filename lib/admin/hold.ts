import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";

type Input = { subjectId: string; reason: string };

/** Holds an identity (all of its steps) or a task (everybody's steps on it) until the hold is lifted. */
export function hold(ctx: AdminContext, input: Input) {
  return setHold(ctx, input, true);
}

export function unhold(ctx: AdminContext, input: Input) {
  return setHold(ctx, input, false);
}

/** @throws ApiError not_found */
function setHold(ctx: AdminContext, { subjectId, reason }: Input, held: boolean) {
  const subjectKind = subjectId.startsWith("tsk_") ? "task" : "identity";
  const data = { heldAt: held ? ctx.clock.now() : null };
  return transaction(async (tx) => {
    const where = { id: subjectId };
    const { count } =
      subjectKind === "task"
        ? await tx.task.updateMany({ where, data })
        : await tx.identity.updateMany({ where, data });
    if (count === 0) throw notFound();
    await audit(tx, ctx, { action: held ? "hold" : "unhold", subjectKind, subjectId, reason });
    return { subject: subjectId, held };
  });
}
