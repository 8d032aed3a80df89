import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";

type Input = { jobId: string; reason: string };
type Job = { task: string; key: string | null; attempts: number; lastError: string | null; locked: boolean };

/** Schedules a job for now and resets its attempts. @throws ApiError not_found; state_conflict while it runs */
export function retryJob(ctx: AdminContext, input: Input) {
  return changeJob(ctx, input, "retry_job", async (tx) => {
    const moved = await tx.$executeRaw`
      SELECT FROM graphile_worker.reschedule_jobs(ARRAY[${input.jobId}::bigint], run_at => now(), attempts => 0)`;
    // Workers poll every few seconds; this wakes one now.
    await tx.$executeRaw`SELECT pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}')`;
    return moved;
  });
}

/** Removes a job from the queue without running it. @throws ApiError not_found; state_conflict while it runs */
export function removeJob(ctx: AdminContext, input: Input) {
  return changeJob(
    ctx,
    input,
    "remove_job",
    (tx) => tx.$executeRaw`SELECT FROM graphile_worker.complete_jobs(ARRAY[${input.jobId}::bigint])`,
  );
}

function changeJob(ctx: AdminContext, { jobId, reason }: Input, action: string, change: (tx: Tx) => Promise<number>) {
  return transaction(async (tx) => {
    const job = await lockJob(tx, jobId);
    if (!job) throw notFound();
    if (job.locked || (await change(tx)) === 0)
      throw stateConflict("This job is running. Try again when it has finished.");
    await audit(tx, ctx, {
      action,
      subjectKind: "job",
      subjectId: jobId,
      reason,
      data: { task: job.task, key: job.key, attempts: job.attempts, last_error: job.lastError },
    });
    return { job_id: jobId };
  });
}

/** A worker that is about to take the job waits for this lock, unless it already has the job: then `locked` is true. */
async function lockJob(tx: Tx, jobId: string): Promise<Job | undefined> {
  const [job] = await tx.$queryRaw<Job[]>`
    SELECT t.identifier AS task, j.key, j.attempts::int AS attempts, j.last_error AS "lastError",
      j.locked_at IS NOT NULL AND j.locked_at >= now() - interval '4 hours' AS locked
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE j.id = ${jobId}::bigint FOR UPDATE OF j`;
  return job;
}
