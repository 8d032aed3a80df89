import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, lightTransaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { endClaim } from "./claim-end.ts";
import { isLapsed } from "./clocks.ts";
import { lockTask, type TaskRow } from "./row.ts";
import { sweep } from "./sweep.ts";

/**
 * Locks the task, as `lockTask` does, for a step that can be taken from its state. If its claim has ended, that is recorded first: the
 * verb finds what readers have seen since.
 */
export async function lockCurrentTask(tx: AnyTx, ctx: Context, taskId: string): Promise<TaskRow | undefined> {
  const task = await lockTask(tx, taskId);
  return task && isLapsed(task, ctx.clock.now()) ? lapse(tx, ctx, task) : task;
}

/** Whom a claim without an agreement waited for. Pure. */
export function awaitedParty(task: TaskRow): "requester" | "provider" {
  return task.contractState === "proposed" && task.requesterAcceptedAt ? "provider" : "requester";
}

function lapse(tx: AnyTx, ctx: Context, task: TaskRow): Promise<TaskRow> {
  const system = { ...ctx, actor: { kind: "system" as const, id: "clock" } };
  const awaited = awaitedParty(task);
  return endClaim(tx, system, task, "lapse", { data: { awaited }, log: { facts: { awaited } } });
}

const ended = statement(
  "task.claims_ended",
  { id: db.text, endsAt: db.timestamp },
  `SELECT id, claim_ends_at AS "endsAt" FROM tasks WHERE claim_ends_at <= $1 AND (claim_ends_at, id) > ($2, $3)
   ORDER BY claim_ends_at, id LIMIT $4`,
);

/** Records the end of every claim whose time has run out, unless something stops that. @returns how many */
export function lapseClaims(ctx: Context): Promise<number> {
  return sweep(ctx, "a claim that has run out could not be ended", ended, (taskId) =>
    lightTransaction(async (tx) => {
      const task = await lockTask(tx, taskId);
      if (!task || !isLapsed(task, ctx.clock.now())) return false;
      await lapse(tx, ctx, task);
      return true;
    }),
  );
}
