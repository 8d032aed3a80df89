import { audit, type SubjectKind } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { wakeTransfers } from "#lib/payments/schedule.ts";
import { changeStanding } from "#lib/payments/standing.ts";
import type { AdminContext } from "./context.ts";
import { findSubject } from "./subjects.ts";

type Input = { subjectId: string; reason: string };

/** Holds an identity or profile (all of its steps and posts) or a task (everybody's steps on it) until the hold is lifted. */
export function hold(ctx: AdminContext, input: Input) {
  return setHold(ctx, input, true);
}

export function unhold(ctx: AdminContext, input: Input) {
  return setHold(ctx, input, false);
}

/** @throws ApiError not_found */
function setHold(ctx: AdminContext, { subjectId, reason }: Input, held: boolean) {
  const heldAt = held ? ctx.clock.now() : null;
  return transaction(async (tx) => {
    await changeStanding(tx, subjectId);
    const subjectKind = await (subjectId.startsWith("tsk_") ? holdTask : holdAgent)(tx, subjectId, heldAt);
    if (!held) await wakeTransfers(tx, subjectId);
    await audit(tx, ctx, { action: held ? "hold" : "unhold", subjectKind, subjectId, reason });
    return { subject: subjectId, held };
  });
}

async function holdTask(tx: Tx, id: string, heldAt: Date | null): Promise<SubjectKind> {
  const { count } = await tx.task.updateMany({ where: { id }, data: { heldAt } });
  if (count === 0) throw notFound();
  return "task";
}

async function holdAgent(tx: Tx, id: string, heldAt: Date | null): Promise<SubjectKind> {
  const { kind } = await findSubject(tx, id);
  await tx.identity.updateMany({ where: { id }, data: { heldAt } });
  await tx.profile.updateMany({ where: { id }, data: { heldAt } });
  return kind;
}
