import { Logger, runMigrations } from "graphile-worker";
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
}
