import { integer } from "./columns.ts";
import { statement } from "./statement.ts";

/** Few enough that nobody waits long for a row that is going. */
const BATCH = 1_000;

type Rows = {
  table: string;
  /** The columns of the primary key. */
  key: string;
  /** Which rows go; the time or number before which they go is `$1`. */
  where: string;
  /** The column of an index over them, so that each batch finds the oldest at once. */
  oldestBy?: string;
};

/**
 * Makes a function that deletes rows that are no longer needed, in batches that are transactions of their own. It passes over rows that
 * somebody has locked.
 * @param name of the prepared statement
 */
export function forgetting(name: string, { table, key, where, oldestBy }: Rows) {
  const order = oldestBy ? `ORDER BY ${oldestBy}` : "";
  const deleteBatch = statement(
    name,
    { forgotten: integer },
    `WITH gone AS (
       DELETE FROM ${table} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE ${where} ${order} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING 1)
     SELECT count(*)::int AS forgotten FROM gone`,
  );
  return async (before: Date | number): Promise<void> => {
    for (;;) {
      const [batch] = await deleteBatch(before);
      if ((batch?.forgotten ?? 0) < BATCH) return;
    }
  };
}
