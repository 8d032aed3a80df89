import { log } from "#lib/kernel/log.ts";
import type { Digests } from "#lib/kernel/secrets.ts";
import { batched } from "./batch.ts";
import type { Columns, RowOf } from "./columns.ts";
import { statement } from "./statement.ts";

/** Where a digest is stored, so that it can be renewed when its secret is used. */
type Stored = { table: "identities" | "access_tokens" | "profiles"; column: string };

/**
 * A query for the row that holds the digest of a secret, under any configured key. The first statement looks for the current
 * digest only. If it finds nothing, a second one looks for all forms at once, and the digest found is stored again under the
 * current key. Processes that disagree about which of two secrets is current therefore both find the row.
 * @param name of the prepared statement
 * @param columns what the row holds
 * @param text the query, given how to compare the column; the digest is `$1`: `(is) => `SELECT … WHERE key_digest ${is}``
 * @param stored where to renew the digest; without it, found digests stay as they are
 * @param further the PostgreSQL types of the values that follow the digest
 */
export function findByDigest<const C extends Columns>(
  name: string,
  columns: C,
  text: (is: string) => string,
  stored?: Stored,
  further: readonly string[] = [],
) {
  const current = batched(name, columns, ["bytea", ...further], text("= $1"));
  const any = statement(`${name}_any_key`, columns, text("= ANY ($1)"));
  const renew = stored && renewal(name, stored);
  return async ({ digest, others }: Digests, ...values: unknown[]): Promise<RowOf<C> | undefined> => {
    const [row] = await current(digest, ...values);
    if (row) return row;
    const earlier = others();
    // Includes the current digest: another request may have renewed the row since.
    const [found] = await any([digest, ...earlier], ...values);
    if (found) await renew?.(digest, earlier);
    return found;
  };
}

/**
 * Nobody waits for a renewal: a locked row is left for the next use, and a failure is only logged, because the secret was
 * valid. A secret that has been replaced meanwhile no longer has these digests, so a renewal cannot bring it back.
 */
function renewal(name: string, { table, column }: Stored) {
  const update = statement(
    `${name}_renew`,
    {},
    `UPDATE ${table} SET ${column} = $1
     WHERE ${column} = (SELECT ${column} FROM ${table} WHERE ${column} = ANY ($2) FOR UPDATE SKIP LOCKED)`,
  );
  return (digest: Buffer, earlier: Buffer[]) =>
    update(digest, earlier).catch((error: Error) => log().warn({ err: error.message, table }, "digest not renewed"));
}
