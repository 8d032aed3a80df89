import { transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { loadMoneyFacts } from "#lib/settlements/acts/facts.ts";
import { approveSettlement } from "#lib/settlements/approve.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { settlementView } from "#lib/settlements/view.ts";
import { advance } from "#lib/tasks/advance.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { DONE_BEFORE, isRepeated, takeActId } from "./act-ids.ts";
import type { AdminContext } from "./context.ts";
import { completionInWords } from "./money/resolution.ts";
import { namesOf } from "./money/subject.ts";
import { requireOthers } from "./own-subject.ts";

type Input = { taskId: string; actId?: string | undefined; reason: string; preview?: boolean | undefined };

type Answer = { preview?: string[]; task_id?: string; state?: "completed"; settlement?: SettlementWire };

/**
 * Completes a submitted task in the requester's place and approves its settlement. The audit trail records it as the administrator's.
 * Completing a task that an administrator has completed changes nothing.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (not submitted, an open dispute, or the ID of another act)
 */
export function completeFor(ctx: AdminContext, { taskId, actId, reason, preview = false }: Input): Promise<Answer> {
  const act = { actId, kind: "complete", subjectId: taskId } as const;
  return transaction(async (tx): Promise<Answer> => {
    await requireOthers(tx, ctx, taskId);
    const task = await lockTask(tx, taskId);
    if (!task) throw notFound();
    const earlier = await tx.auditEvent.findFirst({
      where: { subjectKind: "task", subjectId: taskId, action: "complete", actorKind: "administrator" },
    });
    const isDone = (await isRepeated(tx, act)) || earlier !== null;
    if (isDone && preview) return { preview: DONE_BEFORE };
    if (!isDone) {
      if (task.disputeId)
        throw stateConflict(`This task has an open dispute. Resolve it with --complete instead: ${task.disputeId}.`);
      if (preview) {
        const settlement = await tx.settlement.findFirst({ where: { taskId, state: "recorded" } });
        const money = settlement && (await loadMoneyFacts(tx, settlement));
        const names = settlement ? await namesOf(tx, settlement) : { requester: "", provider: "" };
        return { preview: completionInWords({ taskState: task.state, money }, names) };
      }
      await takeActId(tx, ctx, act);
      await advance(tx, ctx, task, "complete", { reason });
      await approveSettlement(tx, ctx, taskId);
    }
    const settlement = await tx.settlement.findFirstOrThrow({ where: { taskId }, orderBy: { seq: "desc" } });
    return { task_id: taskId, state: "completed" as const, settlement: settlementView(settlement) };
  });
}
