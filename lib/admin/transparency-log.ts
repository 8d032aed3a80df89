import { firstOrigin } from "#lib/db/log-statement.ts";
import { invalidInput, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { query } from "#lib/record/log/connection.ts";
import { newPrivateKey, parsePrivateKey } from "#lib/record/log/private-key.ts";
import { restartLog } from "#lib/record/log/restart.ts";
import { prepareKey } from "#lib/record/log/sign.ts";
import { readTree } from "#lib/record/log/tree.ts";
import { formatVkey, isKeyName, SIGNATURE_TYPES } from "#sdk/tlog/note.ts";
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

/**
 * A new private key for the log, to be set as `LOG_SIGNING_KEY`. Nothing is kept here.
 * @param name the log's origin; by default that of a log which begins under this BASE_URL
 * @throws ApiError invalid_input
 */
export function newLogKey(name: string | undefined) {
  if (name === undefined && !process.env.BASE_URL?.trim())
    throw invalidInput("--origin", "must name the log, such as guildhall.example/log, because BASE_URL is not set");
  const origin = name ?? firstOrigin();
  if (!isKeyName(origin)) throw invalidInput("--origin", `must not contain spaces or plus signs: ${origin}`);
  const key = newPrivateKey(origin, SIGNATURE_TYPES.note);
  const signer = parsePrivateKey(key);
  if (!signer) throw new Error("The new key cannot be read back.");
  return {
    log_signing_key: key,
    vkey: formatVkey(signer),
    origin,
    next_step:
      "Set LOG_SIGNING_KEY to log_signing_key for every process, and keep a copy apart from the backups. It is not shown again.",
  };
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
