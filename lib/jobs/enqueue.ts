import type { Tx } from "#lib/db/tx.ts";

/**
 * Enqueues a job in the transaction that makes it necessary. A job that waits under the same key is replaced, and one that is
 * running is run once more afterwards, so every job reads the current state itself.
 * @param priority lower comes first; default 0
 * @param queue jobs of the same queue run one at a time
 * @param runAt not before this time; without it, as soon as a worker is free
 * @throws when the job queue is not installed
 */
export async function enqueue(
  tx: Tx,
  job: { name: string; payload: object; key: string; runAt?: Date; priority?: number; queue?: string },
): Promise<void> {
  await tx.$executeRaw`SELECT graphile_worker.add_job(${job.name}::text, ${JSON.stringify(job.payload)}::json,
    job_key => ${job.key}::text, run_at => ${job.runAt ?? null}::timestamptz, priority => ${job.priority ?? null}::int,
    queue_name => ${job.queue ?? null}::text)`;
}
