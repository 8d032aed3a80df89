import pg from "pg";
import { pendingMigrations } from "#lib/db/migrate.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import type { Query } from "#lib/record/log/tree.ts";
import { checkKeys, checkLedger, checkOrphans, checkPositions } from "./books.ts";
import type { Finding } from "./finding.ts";
import { checkLogs } from "./log.ts";

const CHECKS = [checkLedger, checkPositions, checkLogs, checkKeys, checkOrphans];

/**
 * Reads the whole database, at one moment, and reports what is not as it must always be. It changes nothing, and the service may run.
 * @throws ApiError state_conflict while migrations are missing
 */
export async function checkDatabase(url: string): Promise<{ ok: boolean; checks: Finding[] }> {
  const client = new pg.Client({ connectionString: url, application_name: "guildhall check" });
  client.on("error", () => undefined);
  await client.connect();
  const query: Query = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  try {
    const pending = await pendingMigrations(client);
    if (pending.length > 0)
      throw stateConflict(`The database lacks ${pending.length} migrations: start the service once, then check again.`);
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const checks: Finding[] = [];
    for (const check of CHECKS) checks.push(await check(query));
    await query("COMMIT");
    return { ok: checks.every(({ ok }) => ok), checks };
  } finally {
    await client.end();
  }
}
