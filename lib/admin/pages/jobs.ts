import type { z } from "zod";
import { newestFirst } from "#lib/db/newest-first.ts";
import { statement } from "#lib/db/statement.ts";
import type { JOB_STATES, JobsQuery } from "../schema.ts";

export type JobState = (typeof JOB_STATES)[number];

/** A job in the queue. Finished jobs are deleted. */
export type ListedJob = {
  id: string;
  task: string;
  key: string | null;
  payload: Record<string, unknown> | null;
  state: JobState;
  runAt: Date;
  attempts: number;
  maxAttempts: number;
  lastError: string | null;
  createdAt: Date;
  lockedAt: Date | null;
};

const IS: Record<JobState, string> = {
  running: "j.locked_at IS NOT NULL",
  failed: "j.locked_at IS NULL AND j.attempts >= j.max_attempts",
  failing: "j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.last_error IS NOT NULL",
  queued: "j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.last_error IS NULL",
};
const STATE = `CASE ${Object.entries(IS)
  .map(([state, condition]) => `WHEN ${condition} THEN '${state}'`)
  .join(" ")} END`;

const COLUMNS = `j.id::text AS id, t.identifier AS task, j.key, j.payload, ${STATE} AS state, j.run_at AS "runAt",
  j.attempts::int AS attempts, j.max_attempts::int AS "maxAttempts", j.last_error AS "lastError",
  j.created_at AS "createdAt", j.locked_at AS "lockedAt"`;

// `newestFirst` needs a column called `seq`.
const TABLE = "(SELECT id AS seq, * FROM graphile_worker._private_jobs)";

const reads = new Map(
  ([undefined, ...Object.keys(IS)] as (JobState | undefined)[]).map((state) => [
    state,
    newestFirst<ListedJob & { seq: string }, never>({
      name: `admin_jobs_${state ?? "all"}`,
      table: TABLE,
      alias: "j",
      scope: state ? IS[state] : "true",
      columnJoins: "JOIN graphile_worker._private_tasks t ON t.id = j.task_id",
      columns: COLUMNS,
      filters: {},
    }),
  ]),
);

/** The unfinished jobs, newest first. */
export async function listJobs(input: z.output<typeof JobsQuery>) {
  const read = reads.get(input.state) as NonNullable<ReturnType<typeof reads.get>>;
  const { rows, nextCursor } = await read(input, {});
  return { jobs: rows, nextCursor };
}

const counts = statement<{ state: JobState; count: number }>(
  "admin_jobs_count",
  `SELECT ${STATE} AS state, count(*)::int AS count FROM graphile_worker._private_jobs j GROUP BY 1`,
);

/** How many jobs there are in each state. */
export async function countJobs(): Promise<Record<JobState, number>> {
  const found = Object.fromEntries((await counts()).map(({ state, count }) => [state, count]));
  return { queued: 0, running: 0, failing: 0, failed: 0, ...found };
}

const byId = statement<ListedJob>(
  "admin_job",
  `SELECT ${COLUMNS} FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.id = $1::bigint`,
);

/** A job that is still in the queue. */
export async function findJob(jobId: string): Promise<ListedJob | undefined> {
  return (await byId(jobId))[0];
}
