import { audit } from "#lib/db/audit.ts";
import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { accessEnded } from "./events.ts";

const ENDED = { id: text, identityId: text, name: text };
const RETURNING = `RETURNING id, identity_id AS "identityId", name`;

const BY = {
  /** One live token of an identity that was made by hand. */
  id: statement(
    "access.end",
    ENDED,
    `DELETE FROM access_tokens WHERE identity_id = $1 AND id = $2 AND expires_at > $3 AND connection_id IS NULL ${RETURNING}`,
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
  /** The tokens that an owner created. */
  owner: statement("access.end_owned", ENDED, `DELETE FROM access_tokens WHERE owner_id = $1 ${RETURNING}`),
};

/** The programs that can get new tokens for them: the identity's, or those that an owner connected. */
const CONNECTIONS = { identity: connectionsBy("identity_id"), owner: connectionsBy("owner_id") };

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
  const connections = by === "identity" || by === "owner" ? CONNECTIONS[by] : undefined;
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
