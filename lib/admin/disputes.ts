import { audit } from "#lib/db/audit.ts";
import { transaction } from "#lib/db/tx.ts";
import { invalidInput, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { approveSettlement } from "#lib/settlements/approve.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { voidQueued, voidSettlement } from "#lib/settlements/void.ts";
import { advance } from "#lib/tasks/advance.ts";
import { sharedReason, taskEvent } from "#lib/tasks/events.ts";
import { effectiveState, STEPS, type TaskState } from "#lib/tasks/machine.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { disputeView } from "#lib/tasks/view.ts";
import type { AdminContext } from "./context.ts";
import { requireOthers } from "./own-subject.ts";
import type { Resolution } from "./schema.ts";

type Input = { disputeId: string; resolution: Resolution; complete?: boolean | undefined; reason: string };

/**
 * Resolves a dispute. For the provider: the task can be completed again, or with `complete` is completed at once if its result is
 * submitted. For the requester: the settlement becomes void and the task is cancelled, unless it has already ended; of a completed
 * LIVE task whose transfer has not been sent, only the settlement becomes void. Neither refunds any money.
 * @throws ApiError not_found, forbidden (own_subject), invalid_input, state_conflict (already resolved, nothing to complete, or its
 *   transfer is being sent)
 */
export async function resolveDispute(ctx: AdminContext, { disputeId, resolution, complete = false, reason }: Input) {
  if (complete && resolution !== "provider") throw invalidInput("complete", "is only possible for the provider");
  return transaction(async (tx) => {
    await requireOthers(tx, ctx, disputeId);
    const known = await tx.dispute.findUnique({ where: { id: disputeId }, select: { taskId: true } });
    if (!known) throw notFound();
    const task = await lockTask(tx, known.taskId);
    if (!task || task.disputeId !== disputeId) throw stateConflict("This dispute has already been resolved.");
    // A task past its expiry time is expired for every reader, even if the sweep has not recorded it yet.
    const taskState = effectiveState(task, ctx.clock.now());
    const settlement = await tx.settlement.findFirst({ where: { taskId: task.id }, orderBy: { seq: "desc" } });
    const effect = effectOf(resolution, { taskState, settlement: settlement && settlementView(settlement) }, complete);
    if (complete && effect.task !== "completed")
      throw stateConflict(`This task is ${taskState}; only a submitted task can be completed.`);
    const dispute = await tx.dispute.update({
      where: { id: disputeId, state: "open" },
      data: { state: "resolved", resolution, resolvedAt: ctx.clock.now() },
    });
    const data = { dispute_id: disputeId };
    if (effect.task === "cancelled") {
      await advance(tx, ctx, task, "annul", { reason, data });
      await voidSettlement(tx, ctx, task.id);
    } else if (effect.task === "completed") {
      await advance(tx, ctx, task, "complete", { reason, data });
      await approveSettlement(tx, ctx, task.id);
    } else if (effect.settlement === "void") await voidQueued(tx, ctx, task.id);
    else await wakeTransfers(tx, task.id);
    await audit(tx, ctx, {
      action: "resolve",
      subjectKind: "dispute",
      subjectId: disputeId,
      reason,
      data: { resolution, ...(complete ? { complete } : {}) },
      event: taskEvent(
        "dispute.resolved",
        task,
        { ...data, resolution, ...sharedReason(task, reason) },
        {
          facts: { dispute_id: disputeId, resolution },
        },
      ),
    });
    return { dispute: disputeView(dispute) };
  });
}

type Facts = {
  taskState: TaskState;
  settlement:
    | null
    | (Pick<SettlementWire, "state" | "funding" | "gross_pence" | "net_pence"> &
        Partial<Pick<SettlementWire, "transfer" | "refunded_pence" | "disputed_pence">>);
};

/** What a resolution changes; `null` where it changes nothing. */
export type Effect = {
  /** The state in which the task ends. */
  task: "cancelled" | "completed" | null;
  settlement: "void" | "approved" | null;
  /** The amount that the ledger then owes to the requester, in pence. */
  refundDuePence: number;
};

const NOTHING: Effect = { task: null, settlement: null, refundDuePence: 0 };

/**
 * What a resolution does. `resolveDispute` does exactly this, and the page that asks for confirmation says it. Pure.
 * @param complete also completes a submitted task, for the provider
 */
export function effectOf(resolution: Resolution, { taskState, settlement }: Facts, complete = false): Effect {
  if (resolution === "provider") {
    if (!complete || taskState !== "submitted") return NOTHING;
    return { ...NOTHING, task: "completed", settlement: settlement?.state === "recorded" ? "approved" : null };
  }
  const canEnd = (STEPS.annul.from as readonly TaskState[]).includes(taskState);
  const isQueued = settlement?.state === "approved" && settlement.transfer === "queued";
  const isVoided = canEnd ? settlement?.state === "recorded" : isQueued;
  const { gross_pence: gross = 0, refunded_pence: refunded = 0, disputed_pence: disputed = 0 } = settlement ?? {};
  const isOwed = isVoided && settlement?.funding === "confirmed";
  return {
    task: canEnd ? "cancelled" : null,
    settlement: isVoided ? "void" : null,
    refundDuePence: isOwed ? Math.max(0, gross - refunded - disputed) : 0,
  };
}
