import { pendingMigrations } from "#lib/db/migrate.ts";
import { readMoment } from "#lib/db/with-client.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { checkKeys, checkLedger, checkOrphans, checkPositions, checkSettlements } from "./books.ts";
import { checkFiles } from "./files.ts";
import type { Finding } from "./finding.ts";
import { checkLogs } from "./transparency-log.ts";

const CHECKS = [checkLedger, checkSettlements, checkPositions, checkLogs, checkKeys, checkOrphans];

/**
 * Reads the whole database, at one moment, and looks for the bytes of every kept file, and reports what is not as it must always be. It changes nothing, and the service may run.
 * @throws ApiError state_conflict while migrations are missing
 */
export function checkDatabase(url: string, { deep = false } = {}): Promise<{ ok: boolean; checks: Finding[] }> {
  return readMoment(url, "check", async (query, client) => {
    const pending = await pendingMigrations(client);
    if (pending.length > 0)
      throw stateConflict(`The database lacks ${pending.length} migrations: start the service once, then check again.`);
    const checks: Finding[] = [];
    for (const check of CHECKS) checks.push(await check(query));
    checks.push(await checkFiles(query, deep));
    return { ok: checks.every(({ ok }) => ok), checks };
  });
}
