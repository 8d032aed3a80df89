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

const digests = TABLES.map(
  (table) => `(SELECT coalesce(md5(string_agg(row::text, '|' ORDER BY row::text)), '') FROM ${table} row) AS ${table}`,
);

/** A digest of each table that holds people's data: equal if nothing has changed. */
export async function snapshot(): Promise<Record<string, string>> {
  const { rows } = await pool().query<Record<string, string>>(`SELECT ${digests.join(", ")}`);
  return rows[0] as Record<string, string>;
}

/** Runs `work` and fails if it left a trace in any table. */
export async function changesNothing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const before = await snapshot();
  const result = await work();
  assert.deepEqual(await snapshot(), before, `${what} changed something`);
  return result;
}
