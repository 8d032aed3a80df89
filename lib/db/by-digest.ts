import type { QueryResultRow } from "pg";
import { log } from "#lib/kernel/log.ts";
import type { Digests } from "#lib/kernel/secrets.ts";
import { statement } from "./statement.ts";

/** Where a digest is stored that is brought up to date when its secret is used. */
type Stored = { table: "identities" | "profiles"; column: string };

/**
 * A query for the row that holds the digest of a secret, under whichever key it was made. The current digest alone is looked up
 * first; only when it is not there, a second statement looks for the others, and what it finds is stored again under the
 * current key. Processes that differ in which of two secrets is the current one never lose sight of a row: the second
 * statement looks for every form at once.
 * @param name of the prepared statement
 * @param text the query, given how to compare the column; the digest is `$1`: `(is) => `SELECT … WHERE key_digest ${is}``
 * @param stored where to renew the digest; without it, found digests stay as they are
 */
export function findByDigest<Row extends QueryResultRow>(name: string, text: (is: string) => string, stored?: Stored) {
  const current = statement<Row>(name, text("= $1"));
  const any = statement<Row>(`${name}_any_key`, text("= ANY ($1)"));
  const renew = stored && renewal(name, stored);
  return async ({ digest, others }: Digests, ...values: unknown[]): Promise<Row | undefined> => {
    const [row] = await current(digest, ...values);
    if (row) return row;
    const earlier = others();
    // The current digest is among them: another request may have renewed it since.
    const [found] = await any([digest, ...earlier], ...values);
    if (found) await renew?.(digest, earlier);
    return found;
  };
}

/**
 * Nobody waits for a renewal: a row that others hold is left for the next use, and a failure is logged, since the secret was
 * right. A secret that was replaced meanwhile has none of these digests, so it does not come back.
 */
function renewal(name: string, { table, column }: Stored) {
  const update = statement(
    `${name}_renew`,
    `UPDATE ${table} SET ${column} = $1
     WHERE ${column} = (SELECT ${column} FROM ${table} WHERE ${column} = ANY ($2) FOR UPDATE SKIP LOCKED)`,
  );
  return (digest: Buffer, earlier: Buffer[]) =>
    update(digest, earlier).catch((error: Error) => log().warn({ err: error.message, table }, "digest not renewed"));
}
