import { Logger, runMigrations } from "graphile-worker";
import { ADVISORY_LOCKS } from "#lib/db/advisory-locks.ts";
import { withClient } from "#lib/db/with-client.ts";
import { log } from "#lib/kernel/log.ts";

/** Writes the job queue's messages to our log; everything but errors and warnings at the debug level. */
export const queueLogger = new Logger(() => (level, message) => {
  log()[level === "error" ? "error" : level === "warning" ? "warn" : "debug"]({ queue: true }, message);
});

/**
 * Creates or updates the job queue's tables in their own schema, `graphile_worker`, as the role that owns them. This comes before
 * anything is enqueued; several processes may do it at once.
 */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, maxPoolSize: 1, logger: queueLogger });
  await withClient(ownerUrl, (client) => client.query(INDEX_FAILED), { application_name: "guildhall job queue" });
}

/** Every page of the console counts the failed jobs, however long the queue is. */
const INDEX_FAILED = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(${ADVISORY_LOCKS.migrate});
  IF to_regclass('graphile_worker.guildhall_failed_jobs') IS NULL THEN
    CREATE INDEX guildhall_failed_jobs ON graphile_worker._private_jobs (id) WHERE attempts >= max_attempts;
  END IF;
END $$`;
