import { Logger, runMigrations } from "graphile-worker";
import { log } from "#lib/kernel/log.ts";

/** The job queue's account of itself, in our log; what it merely mentions is kept for debugging. */
export const queueLogger = new Logger(() => (level, message) => {
  log()[level === "error" ? "error" : level === "warning" ? "warn" : "debug"]({ queue: true }, message);
});

/**
 * Makes or updates the job queue's tables, in their own schema `graphile_worker`, as the role that is to own them. To be done
 * before anything is enqueued; several processes may do it at once. A worker that starts afterwards finds nothing to update.
 */
export async function installJobQueue(ownerUrl: string): Promise<void> {
  await runMigrations({ connectionString: ownerUrl, maxPoolSize: 1, logger: queueLogger });
}
