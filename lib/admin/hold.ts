import { recordModeration } from "#lib/community/moderation/appeals.ts";
import { audit, type SubjectKind } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { agentEvent } from "#lib/identity/events.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { setTaskHold } from "#lib/tasks/hold.ts";
import type { AdminContext } from "./context.ts";
import { hostOf, recordForIdentities, setHostHold } from "./hosts.ts";
import { requireOthers } from "./own-subject.ts";
import { findSubject } from "./subjects.ts";

type Input = { subjectId: string; reason: string };

/**
 * Holds an identity or profile (all of its steps and posts), every identity on a host, or a task (every step on it) until the
 * hold is lifted.
 */
export function hold(ctx: AdminContext, input: Input) {
  return setHold(ctx, input, true);
}

export function unhold(ctx: AdminContext, input: Input) {
  return setHold(ctx, input, false);
}

/** @throws ApiError not_found, forbidden (own_subject) */
function setHold(ctx: AdminContext, { subjectId, reason }: Input, held: boolean) {
  const now = ctx.clock.now();
  const heldAt = held ? now : null;
  const host = hostOf(subjectId);
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, subjectId);
    await lockStatus(tx, subjectId);
    if (host !== undefined) await setHostHold(tx, host, heldAt, now);
    const subjectKind =
      host !== undefined ? "host" : await (subjectId.startsWith("tsk_") ? holdTask : holdAgent)(tx, subjectId, heldAt);
    if (!held) await wakeTransfers(tx, subjectId);
    const action = held ? "hold" : "unhold";
    if (host !== undefined) await recordForIdentities(tx, ctx, host, action);
    await audit(tx, ctx, {
      action,
      subjectKind,
      subjectId,
      reason,
      event:
        subjectKind === "identity" || subjectKind === "profile"
          ? agentEvent(held ? "identity.held" : "identity.unheld", subjectId, { reason: "identity_held" }, subjectKind)
          : undefined,
    });
    if (held && (subjectKind === "identity" || subjectKind === "profile"))
      await recordModeration(tx, ctx, { agentId: subjectId, act: "hold", subjectId, reason });
    return { subject: subjectId, held };
  });
}

async function holdTask(tx: Tx, id: string, heldAt: Date | null): Promise<SubjectKind> {
  if (!(await setTaskHold(tx, id, heldAt))) throw notFound();
  return "task";
}

async function holdAgent(tx: Tx, id: string, heldAt: Date | null): Promise<SubjectKind> {
  const { kind } = await findSubject(tx, id);
  const where = heldAt ? { id, heldAt: null } : { id };
  await tx.identity.updateMany({ where, data: { heldAt } });
  await tx.profile.updateMany({ where, data: { heldAt } });
  return kind;
}
