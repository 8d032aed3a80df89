import { pool } from "#lib/db/client.ts";
import type { Query } from "./tree.ts";

/** One query on any connection. */
export const query: Query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await pool().query<Row>(text, values)).rows;

/** Runs `work` in one transaction. */
export async function inTransaction<Result>(work: (query: Query) => Promise<Result>): Promise<Result> {
  const client = await pool().connect();
  let broken: Error | undefined;
  const run: Query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  try {
    await run("BEGIN");
    const result = await work(run);
    await run("COMMIT");
    return result;
  } catch (error) {
    await run("ROLLBACK").catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
