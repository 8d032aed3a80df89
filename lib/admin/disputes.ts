import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { voidQueued, voidSettlement } from "#lib/settlements/void.ts";
import { advance } from "#lib/tasks/advance.ts";
import { effectiveState, STEPS, type TaskState } from "#lib/tasks/machine.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { disputeView } from "#lib/tasks/view.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import type { Resolution } from "./schema.ts";

type Input = { disputeId: string; resolution: Resolution; reason: string };

/**
 * Resolves a dispute. For the provider: the task can be completed again. For the requester: the settlement becomes void and the
 * task is cancelled, unless it has already ended; of a completed LIVE task whose transfer has not been sent, only the settlement
 * becomes void. Neither refunds any money.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (already resolved, or its transfer is being sent)
 */
export function resolveDispute(ctx: AdminContext, { disputeId, resolution, reason }: Input) {
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, disputeId);
    const known = await tx.dispute.findUnique({ where: { id: disputeId }, select: { taskId: true } });
    if (!known) throw notFound();
    const task = await lockTask(tx, known.taskId);
    if (!task || task.disputeId !== disputeId) throw stateConflict("This dispute has already been resolved.");
    const dispute = await tx.dispute.update({
      where: { id: disputeId, state: "open" },
      data: { state: "resolved", resolution, resolvedAt: ctx.clock.now() },
    });
    // A task past its expiry time is expired for every reader, even if the sweep has not recorded it yet.
    const state = effectiveState(task, ctx.clock.now());
    const hasEnded = !(STEPS.annul.from as readonly TaskState[]).includes(state);
    if (resolution === "requester" && !hasEnded) {
      await advance(tx, ctx, task, "annul", { reason, data: { dispute_id: disputeId } });
      await voidSettlement(tx, ctx, task.id);
    } else if (resolution === "requester") await voidQueued(tx, ctx, task.id);
    else await wakeTransfers(tx, task.id);
    await audit(tx, ctx, {
      action: "resolve",
      subjectKind: "dispute",
      subjectId: disputeId,
      reason,
      data: { resolution },
    });
    return { dispute: disputeView(dispute) };
  });
}

type Facts = {
  taskState: TaskState;
  settlement: null | { state: "recorded" | "approved" | "void"; funding: string; gross_pence: number };
};

/** What a resolution changes; `null` where it changes nothing. */
export type Effect = {
  /** The state in which the task ends. */
  task: "cancelled" | null;
  settlement: "void" | null;
  /** The amount that the ledger then owes to the requester, in pence. */
  refundDuePence: number;
};

const NOTHING: Effect = { task: null, settlement: null, refundDuePence: 0 };

/** What `resolveDispute` would do, for the page that asks for confirmation. Pure. */
export function effectOf(resolution: Resolution, { taskState, settlement }: Facts): Effect {
  const canEnd = (STEPS.annul.from as readonly TaskState[]).includes(taskState);
  if (resolution === "provider" || !canEnd) return NOTHING;
  const isVoided = settlement !== null && settlement.state === "recorded";
  const isOwed = isVoided && settlement.funding === "confirmed";
  return {
    task: "cancelled",
    settlement: isVoided ? "void" : null,
    refundDuePence: isOwed ? settlement.gross_pence : 0,
  };
}
