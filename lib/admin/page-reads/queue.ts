import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { newestFirst } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { JOB_STATES, type JobsQuery } from "../schema.ts";
import { finder } from "./finder.ts";

type JobState = (typeof JOB_STATES)[number];

/** A row `j` whose attempts are used up. */
export const FAILED_JOB = "j.locked_at IS NULL AND j.attempts >= j.max_attempts";

const IS: Record<JobState, string> = {
  running: "j.locked_at IS NOT NULL",
  failed: FAILED_JOB,
  failing: "j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.last_error IS NOT NULL",
  queued: "j.locked_at IS NULL AND j.attempts < j.max_attempts AND j.last_error IS NULL",
};
const STATE = `CASE ${Object.entries(IS)
  .map(([state, condition]) => `WHEN ${condition} THEN '${state}'`)
  .join(" ")} END`;

/** A job in the queue. Finished jobs are deleted. */
const JOB = {
  id: db.text.from("j.id::text"),
  task: db.text.from("t.identifier"),
  key: db.nullable(db.text).from("j.key"),
  payload: db.nullable(db.json<Record<string, unknown>>()).from("j.payload"),
  state: db.oneOf(...JOB_STATES).from(STATE),
  runAt: db.timestamp.from("j.run_at"),
  attempts: db.integer.from("j.attempts::int"),
  maxAttempts: db.integer.from("j.max_attempts::int"),
  lastError: db.nullable(db.text).from("j.last_error"),
  createdAt: db.timestamp.from("j.created_at"),
  lockedAt: db.nullable(db.timestamp).from("j.locked_at"),
};
export type ListedJob = db.RowOf<typeof JOB>;

// `newestFirst` needs a column called `seq`.
const TABLE = "(SELECT id AS seq, * FROM graphile_worker._private_jobs)";

const reads = new Map(
  ([undefined, ...Object.keys(IS)] as (JobState | undefined)[]).map((state) => [
    state,
    newestFirst({
      name: `admin_jobs_${state ?? "all"}`,
      table: TABLE,
      alias: "j",
      scope: state ? IS[state] : "true",
      columnJoins: "JOIN graphile_worker._private_tasks t ON t.id = j.task_id",
      columns: JOB,
      filters: {},
    }),
  ]),
);

/** The unfinished jobs, newest first. */
export function listJobs(input: z.output<typeof JobsQuery>) {
  const read = reads.get(input.state) as NonNullable<ReturnType<typeof reads.get>>;
  return read(input, {});
}

const counts = statement(
  "admin_jobs_count",
  { state: db.oneOf(...JOB_STATES), count: db.integer },
  `SELECT ${STATE} AS state, count(*)::int AS count FROM graphile_worker._private_jobs j GROUP BY 1`,
);

/** How many jobs there are in each state. */
export async function countJobs(): Promise<Record<JobState, number>> {
  const found = Object.fromEntries((await counts()).map(({ state, count }) => [state, count]));
  return { queued: 0, running: 0, failing: 0, failed: 0, ...found };
}

/** A job that is still in the queue. */
export const findJob = finder(
  "admin_job",
  JOB,
  `SELECT ${db.select(JOB)} FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
   WHERE j.id = $1::bigint`,
);
