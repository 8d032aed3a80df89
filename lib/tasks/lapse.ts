import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { type AnyTx, connectionOf, lightTransaction } from "#lib/db/tx.ts";
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
function awaitedParty(task: TaskRow): "requester" | "provider" {
  return task.contractState === "proposed" && task.requesterAcceptedAt ? "provider" : "requester";
}

const stops = statement(
  "task.claim_stops",
  { requester: db.boolean, provider: db.boolean },
  `SELECT b.both OR coalesce(r.stopped_until > t.claim_ends_at, false) AS requester,
     b.both OR coalesce(p.stopped_until > t.claim_ends_at, false) AS provider
   FROM tasks t JOIN identities r ON r.id = t.requester_id JOIN identities p ON p.id = t.provider_id
     CROSS JOIN LATERAL (SELECT coalesce(t.held_until > t.claim_ends_at, false)
       OR EXISTS (SELECT FROM disputes d WHERE d.task_id = t.id AND d.resolved_at > t.claim_ends_at) AS both) b
   WHERE t.id = $1`,
);

async function lapse(tx: AnyTx, ctx: Context, task: TaskRow): Promise<TaskRow> {
  const system = { ...ctx, actor: { kind: "system" as const, id: "clock" } };
  const awaited = awaitedParty(task);
  // A lapse that something delayed does not count against the party that was stopped.
  const [stopped] = await stops.on(connectionOf(tx), task.id);
  const facts = { awaited, ...(stopped?.[awaited] ? { stopped: true } : {}) };
  return endClaim(tx, system, task, "lapse", { data: facts, log: { facts } });
}

const ended = statement(
  "task.claims_ended",
  { id: db.text, endsAt: db.timestamp },
  `SELECT id, coalesce(claim_ends_at, $1) AS "endsAt" FROM tasks WHERE claim_ends_at <= $1 AND (claim_ends_at, id) > ($2, $3)
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
