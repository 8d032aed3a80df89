import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { query } from "#lib/record/log/connection.ts";
import { restartLog } from "#lib/record/log/restart.ts";
import { prepareKey } from "#lib/record/log/sign.ts";
import { readTree } from "#lib/record/log/tree.ts";
import type { AdminContext } from "./context.ts";

/**
 * The verifier key of the current log. Before anything was signed, the key is made.
 * @throws ApiError state_conflict before the first start; SigningRefused if this process cannot sign
 */
export async function readLogKey() {
  const tree = await readTree(query);
  if (!tree)
    throw stateConflict("The log has not begun. Start the service once: its BASE_URL then gives the log its name.");
  return { vkey: tree.vkey ?? prepareKey(tree), origin: tree.origin, refusal: tree.refusal };
}

/** Begins another log and enters every statement again. */
export function beginAnotherLog(ctx: AdminContext, { reason }: { reason: string }) {
  return restartLog(async (run, { origin, previous }) => {
    await run(
      `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, reason, data, request_id)
       VALUES ($1, $2, $3, $4, 'log_restart', 'log', $5, $6, $7, $8)`,
      [newId("evt"), ctx.clock.now(), ctx.actor.kind, ctx.actor.id, origin, reason, { previous }, ctx.requestId],
    );
  });
}
