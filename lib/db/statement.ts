import type { QueryResultRow } from "pg";
import { pool } from "./client.ts";

/**
 * A prepared statement for the paths that carry the load (authentication, polling, lists, heartbeats, task creation): the
 * server plans it once per connection and the client sends only its name and values. Everything else goes through Prisma.
 * @param name unique in the process; PostgreSQL keeps the plan under it
 */
export function statement<Row extends QueryResultRow>(name: string, text: string) {
  return async (...values: unknown[]): Promise<Row[]> => {
    const result = await pool().query<Row>({ name, text, values });
    return result.rows;
  };
}
