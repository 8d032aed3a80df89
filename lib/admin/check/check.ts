import { pendingMigrations } from "#lib/db/migrate.ts";
import { readMoment } from "#lib/db/read-moment.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { checkKeys, checkLedger, checkOrphans, checkPositions, checkSettlements } from "./books.ts";
import type { Finding } from "./finding.ts";
import { checkLogs } from "./transparency-log.ts";

const CHECKS = [checkLedger, checkSettlements, checkPositions, checkLogs, checkKeys, checkOrphans];

/**
 * Reads the whole database, at one moment, and reports what is not as it must always be. It changes nothing, and the service may run.
 * @throws ApiError state_conflict while migrations are missing
 */
export function checkDatabase(url: string): Promise<{ ok: boolean; checks: Finding[] }> {
  return readMoment(url, "check", async (query, client) => {
    const pending = await pendingMigrations(client);
    if (pending.length > 0)
      throw stateConflict(`The database lacks ${pending.length} migrations: start the service once, then check again.`);
    const checks: Finding[] = [];
    for (const check of CHECKS) checks.push(await check(query));
    return { ok: checks.every(({ ok }) => ok), checks };
  });
}
