import { audit } from "#lib/db/audit.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import type { AdminContext } from "./context.ts";

type Input = { jobId: string; reason: string };
type Job = { task: string; key: string | null; attempts: number; lastError: string | null; locked: boolean };

/** Lets a job run as soon as a worker is free, with all of its attempts before it. @throws ApiError not_found, state_conflict */
export function retryJob(ctx: AdminContext, input: Input) {
  return changeJob(ctx, input, "retry_job", async (tx) => {
    const moved = await tx.$executeRaw`
      SELECT FROM graphile_worker.reschedule_jobs(ARRAY[${input.jobId}::bigint], run_at => now(), attempts => 0)`;
    // Workers look every few seconds by themselves; this one they are told of.
    await tx.$executeRaw`SELECT pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}')`;
    return moved;
  });
}

/** Takes a job out of the queue; what it would have done is not done. @throws ApiError not_found, state_conflict */
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
    if (job.locked || (await change(tx)) === 0) throw stateConflict("This job is running at this moment.");
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

/** A worker that is about to take the job waits, or has it: then it is locked in the queue's own sense. */
async function lockJob(tx: Tx, jobId: string): Promise<Job | undefined> {
  const [job] = await tx.$queryRaw<Job[]>`
    SELECT t.identifier AS task, j.key, j.attempts::int AS attempts, j.last_error AS "lastError",
      j.locked_at IS NOT NULL AND j.locked_at >= now() - interval '4 hours' AS locked
    FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE j.id = ${jobId}::bigint FOR UPDATE OF j`;
  return job;
}
