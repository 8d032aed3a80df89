import { audit } from "#lib/db/audit.ts";
import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { accessEnded } from "./events.ts";

const ENDED = { id: text, identityId: text, name: text };
const RETURNING = `RETURNING id, identity_id AS "identityId", name`;

/** Tokens that were made by hand: neither a connected program's nor an owner's session's. */
export const BY_HAND = "connection_id IS NULL AND session_id IS NULL";

/**
 * Of a token `a` of an identity `i`: if it belongs to an owner's session, that is still open and the identity still that owner's. Every
 * call looks, so that nothing that ends a session needs to know of its tokens. (Its end in time is the token's too.)
 */
export const SESSION_LIVES = `(a.session_id IS NULL OR EXISTS (
  SELECT FROM owner_sessions s JOIN owners o ON o.id = s.owner_id
  WHERE s.id = a.session_id AND s.revoked_at IS NULL AND o.disabled_at IS NULL AND o.id = i.owner_id))`;

/** Tabs in which one session works at the same time; reloading one leaves its token behind. */
const MOST_IN_SESSION = 20;

const BY = {
  /** One live token of an identity that was made by hand. */
  id: statement(
    "access.end",
    ENDED,
    `DELETE FROM access_tokens WHERE identity_id = $1 AND id = $2 AND expires_at > $3 AND ${BY_HAND} ${RETURNING}`,
  ),
  /** All but the newest tokens of an owner's session. */
  session: statement(
    "access.end_in_session",
    ENDED,
    `DELETE FROM access_tokens WHERE id IN (
       SELECT id FROM access_tokens WHERE session_id = $1 ORDER BY created_at DESC, id OFFSET ${MOST_IN_SESSION}) ${RETURNING}`,
  ),
  /** The tokens of a program that an owner connected. */
  connection: statement(
    "access.end_connected",
    ENDED,
    `DELETE FROM access_tokens WHERE connection_id = $1 ${RETURNING}`,
  ),
  /** All tokens of an identity. */
  identity: statement("access.end_all", ENDED, `DELETE FROM access_tokens WHERE identity_id = $1 ${RETURNING}`),
  /** A token that someone found. */
  digest: statement(
    "access.end_leaked",
    ENDED,
    `DELETE FROM access_tokens WHERE digest = ANY ($1::bytea[]) ${RETURNING}`,
  ),
  /** Those of an owner's sessions and connected programs. */
  account: statement(
    "access.end_of_account",
    ENDED,
    `DELETE FROM access_tokens WHERE owner_id = $1 AND NOT (${BY_HAND}) ${RETURNING}`,
  ),
  /** The tokens that an owner created. */
  owner: statement("access.end_owned", ENDED, `DELETE FROM access_tokens WHERE owner_id = $1 ${RETURNING}`),
};

/** The programs that can get new tokens for them: the identity's, or those that an owner connected. */
const OF_OWNER = connectionsBy("owner_id");
const CONNECTIONS: { [By in keyof typeof BY]?: typeof OF_OWNER } = {
  identity: connectionsBy("identity_id"),
  account: OF_OWNER,
  owner: OF_OWNER,
};

function connectionsBy(column: string) {
  const where = `oauth_connections WHERE ${column} = $1`;
  return {
    /** No token is issued for them from here on. */
    lock: statement(
      `access.lock_connections_by_${column}`,
      { id: text },
      `SELECT id FROM ${where} ORDER BY id FOR UPDATE`,
    ),
    end: statement(`access.end_connections_by_${column}`, {}, `DELETE FROM ${where}`),
  };
}

/**
 * Ends access tokens: every process refuses them from the commit on, and their streams and waiting calls end.
 * @param action what the audit trail calls it
 * @returns how many there were
 */
export async function endAccess(
  tx: Tx,
  ctx: Context,
  { by, values, action }: { by: keyof typeof BY; values: unknown[]; action: string },
): Promise<number> {
  const connections = CONNECTIONS[by];
  await connections?.lock.on(connectionOf(tx), ...values);
  const ended = await BY[by].on(connectionOf(tx), ...values);
  for (const { id, identityId, name } of ended)
    await audit(tx, ctx, {
      action,
      subjectKind: "identity",
      subjectId: identityId,
      data: { secret: "access_token", access_id: id, name },
      event: accessEnded(id),
    });
  await connections?.end.on(connectionOf(tx), ...values);
  return ended.length;
}
