import assert from "node:assert/strict";
import { pool } from "#lib/db/client.ts";

const TABLES = [
  "identities",
  "hosts",
  "offers",
  "tasks",
  "contracts",
  "settlements",
  "payments",
  "disputes",
  "ledger_transactions",
  "ledger_entries",
  "audit_events",
  "idempotency_keys",
  "owners",
  "profiles",
  "posts",
  "reports",
];

// Whoever writes a row leaves the number of the transaction in it. Reading these is far cheaper than comparing what the rows say.
const writers = TABLES.map(
  (table) => `(SELECT count(*) || ' rows, ' || coalesce(sum(xmin::text::bigint), 0) FROM ${table}) AS ${table}`,
);

/** What the latest writes to each table that holds people's data have left there: equal if nothing was written. */
async function snapshot(): Promise<Record<string, string>> {
  const { rows } = await pool().query<Record<string, string>>(`SELECT ${writers.join(", ")}`);
  return rows[0] as Record<string, string>;
}

/** Runs `work` and fails if it left a trace in any table. */
export async function changesNothing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const before = await snapshot();
  const result = await work();
  assert.deepEqual(await snapshot(), before, `${what} changed something`);
  return result;
}
