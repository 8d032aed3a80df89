import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { advance } from "#lib/tasks/advance.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { sweep } from "#lib/tasks/sweep.ts";
import { approveSettlement } from "./approve.ts";

const ended = statement(
  "task.review_ended",
  { id: db.text, endsAt: db.timestamp },
  `SELECT id, coalesce(review_ends_at, $1) AS "endsAt" FROM tasks
   WHERE state = 'submitted' AND review_ends_at IS NOT NULL AND review_ends_at <= $1 AND (review_ends_at, id) > ($2, $3)
   ORDER BY review_ends_at, id LIMIT $4`,
);

/** Completes every submitted task whose review period has ended, unless something stops that. @returns how many */
export function completeReviewed(ctx: Context): Promise<number> {
  return sweep(ctx, "a task could not be completed after its review period", ended, (id) => completeOne(ctx, id));
}

/** Under the task's lock everything is read again, so that of the service and the requester only one acts. */
function completeOne(ctx: Context, taskId: string): Promise<boolean> {
  return transaction(async (tx) => {
    const task = await lockTask(tx, taskId);
    const { reviewEndsAt } = task ?? {};
    if (task?.state !== "submitted" || !reviewEndsAt || reviewEndsAt > ctx.clock.now() || task.isStopped) return false;
    await advance(tx, ctx, task, "auto_complete", { data: { review_ends_at: reviewEndsAt.toISOString() } });
    await approveSettlement(tx, ctx, taskId);
    return true;
  });
}
