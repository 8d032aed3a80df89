import { integer } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { uncountPrepared } from "#lib/owners/limits/approval.ts";
import { advance } from "./advance.ts";
import { UNCLAIMED } from "./clocks.ts";
import { tellNotChosen } from "./quotes/events.ts";
import type { TaskRow } from "./row.ts";

/** The steps by which a claim ends without an agreement. */
type ClaimEnd = "release" | "dismiss" | "lapse";

const lapseContract = statement(
  "contract.lapse",
  { id: integer },
  "UPDATE contracts SET state = 'lapsed' WHERE id = $1 AND state = 'proposed' RETURNING 1 AS id",
);

/**
 * Ends a claim that led to no agreement, by any of these steps: the task is open again, and a proposed contract can no longer be accepted. The
 * caller holds the task's lock.
 */
export async function endClaim(
  tx: AnyTx,
  ctx: Context,
  task: TaskRow,
  step: ClaimEnd,
  { set, data, ...change }: NonNullable<Parameters<typeof advance>[4]> = {},
): Promise<TaskRow> {
  const contract = task.contractId ? { contract_id: task.contractId } : {};
  const changes = await advance(tx, ctx, task, step, {
    ...change,
    set: { ...set, providerId: null },
    data: { ...data, ...contract },
  });
  if (task.contractId) {
    await lapseContract.on(connectionOf(tx), task.contractId);
    await uncountPrepared(tx, task.contractId);
  }
  if (task.expiresAt > ctx.clock.now()) await tellNotChosen(tx, ctx, task, "quote.reopened");
  return { ...task, ...UNCLAIMED, ...changes };
}
