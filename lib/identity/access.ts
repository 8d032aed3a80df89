import { audit } from "#lib/db/audit.ts";
import { text } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { connectionOf, type Tx } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { accessEnded } from "./events.ts";

const ENDED = { id: text, identityId: text, name: text };
const RETURNING = `RETURNING id, identity_id AS "identityId", name`;

const BY = {
  /** One token of an identity. */
  id: statement("access.end", ENDED, `DELETE FROM access_tokens WHERE identity_id = $1 AND id = $2 ${RETURNING}`),
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
  const ended = await BY[by].on(connectionOf(tx), ...values);
  for (const { id, identityId, name } of ended)
    await audit(tx, ctx, {
      action,
      subjectKind: "identity",
      subjectId: identityId,
      data: { secret: "access_token", access_id: id, name },
      event: accessEnded(id),
    });
  return ended.length;
}
