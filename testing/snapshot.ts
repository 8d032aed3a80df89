import assert from "node:assert/strict";
import { pool } from "#lib/db/client.ts";

/** What mere calls and background work write: counts, times of use, and the places of events in the feed and the log. */
const VOLATILE =
  /^(rate_limits|task_allowances|owner_sessions|owner_challenges|pulses|event_.*|log_.*|_prisma_migrations)$/;

let statement: string | undefined;

/**
 * Each row contains the number of the transaction that wrote it. Reading these is far cheaper than comparing what the rows say. Tables
 * that are new are included.
 */
async function statementOfAll(): Promise<string> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
     WHERE schemaname = current_schema() AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT') ORDER BY 1`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !VOLATILE.test(name));
  assert.ok(tables.length > 30, `only ${tables.length} tables can be read`);
  const writers = tables.map(
    (table) => `(SELECT count(*) || ' rows, ' || coalesce(sum(xmin::text::bigint), 0) FROM ${table}) AS ${table}`,
  );
  return `SELECT ${writers.join(", ")}`;
}

/** What the latest writes to each table have left there: equal if nothing was written. */
async function snapshot(): Promise<Record<string, string>> {
  statement ??= await statementOfAll();
  // Prepared, because planning it would cost five times as much as reading.
  const { rows } = await pool().query<Record<string, string>>({ name: "snapshot", text: statement });
  return rows[0] as Record<string, string>;
}

/** Runs `work` and fails if it left a trace in any table. */
export async function changesNothing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const before = await snapshot();
  const result = await work();
  assert.deepEqual(await snapshot(), before, `${what} changed something`);
  return result;
}
