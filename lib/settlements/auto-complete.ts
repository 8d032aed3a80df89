import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { log } from "#lib/kernel/log.ts";
import { advance } from "#lib/tasks/advance.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { approveSettlement } from "./approve.ts";
import { loadHoldFacts } from "./hold-facts.ts";
import type { HoldFacts } from "./holds.ts";

/** The most tasks that are read at once. */
const BATCH = 200;

const ended = statement(
  "task.review_ended",
  { id: db.text, endsAt: db.nullable(db.timestamp) },
  `SELECT id, review_ends_at AS "endsAt" FROM tasks
   WHERE state = 'submitted' AND review_ends_at IS NOT NULL AND review_ends_at <= $1 AND (review_ends_at, id) > ($2, $3)
   ORDER BY review_ends_at, id LIMIT ${BATCH}`,
);

/**
 * Completes every submitted task whose review period has ended, unless something stops that. One that is stopped, or that fails, is
 * tried again in the next run and keeps no other task waiting.
 * @returns how many tasks were completed
 */
export async function completeReviewed(ctx: Context): Promise<number> {
  let done = 0;
  let failed = 0;
  let after: [Date, string] = [new Date(0), ""];
  for (;;) {
    const batch = await ended(ctx.clock.now(), ...after);
    for (const { id } of batch) {
      try {
        if (await completeOne(ctx, id)) done += 1;
      } catch (error) {
        failed += 1;
        log().error({ err: error, task: id }, "a task could not be completed after its review period");
      }
    }
    const last = batch.at(-1);
    if (!last?.endsAt || batch.length < BATCH) break;
    after = [last.endsAt, last.id];
  }
  if (failed > 0) throw new Error(`${failed} tasks could not be completed after their review period.`);
  return done;
}

/** Under the task's lock everything is read again, so that of the service and the requester only one acts. */
function completeOne(ctx: Context, taskId: string): Promise<boolean> {
  return transaction(async (tx) => {
    const task = await lockTask(tx, taskId);
    const { reviewEndsAt, settlementId } = task ?? {};
    if (task?.state !== "submitted" || !reviewEndsAt || reviewEndsAt > ctx.clock.now() || !settlementId) return false;
    const facts = (await loadHoldFacts([settlementId], tx)).get(settlementId);
    if (!facts || isStopped(facts)) return false;
    await advance(tx, ctx, task, "auto_complete", { data: { review_ends_at: reviewEndsAt.toISOString() } });
    await approveSettlement(tx, ctx, taskId);
    return true;
  });
}

/**
 * Whether the end of the review period has no effect for now: an open dispute, or a hold or suspension that an administrator or a
 * leaked token caused. An owner who freezes an agent does not stop it, because that would let a requester avoid paying. Pure.
 */
function isStopped(facts: HoldFacts): boolean {
  return (
    facts.disputeOpen ||
    facts.taskHeld ||
    facts.requesterHeld ||
    facts.providerHeld ||
    facts.requesterSuspended ||
    facts.providerSuspended
  );
}
