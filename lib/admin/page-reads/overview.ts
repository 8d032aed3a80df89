import { integer, type RowOf } from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { RISK } from "#lib/identity/row.ts";
import { HELD_ROW } from "./identities.ts";
import { FAILED_JOB } from "./queue.ts";

const WAITING = {
  reports: integer,
  disputes: integer,
  heldPosts: integer,
  appeals: integer,
  leakedTokens: integer,
  failedEvents: integer,
  openTransfers: integer,
  differences: integer,
  failedJobs: integer,
};
export type Waiting = RowOf<typeof WAITING>;

/** Counts end here: more than an administrator decides in a day, and few enough to count for each page of the console. */
export const MOST_COUNTED = 1_000;

const some = (rows: string) => `(SELECT count(*)::int FROM (SELECT FROM ${rows} LIMIT ${MOST_COUNTED}) found)`;

// Each follows a partial index or counts a small table.
export const countWaiting = statement(
  "admin_waiting",
  WAITING,
  `SELECT ${some("reports WHERE state = 'open'")} AS reports,
     ${some("disputes WHERE state = 'open'")} AS disputes,
     ${some("held_posts WHERE state = 'waiting'")} AS "heldPosts",
     ${some("moderations WHERE appeal = 'open'")} AS appeals,
     ${some("identities WHERE leaked_at IS NOT NULL")} AS "leakedTokens",
     ${some("stripe_events WHERE state = 'failed'")} AS "failedEvents",
     ${some("transfer_intents WHERE state = 'queued' OR state = 'sending'")} AS "openTransfers",
     ${some("differences WHERE resolved_at IS NULL")} AS differences,
     ${some(`graphile_worker._private_jobs j WHERE ${FAILED_JOB}`)} AS "failedJobs"`,
);

/** How many things need an administrator's decision, at most 1,000 of each kind. */
export async function readWaiting(): Promise<Waiting> {
  const [counted] = await countWaiting();
  if (!counted) throw new Error("The query of what waits returned no row.");
  return counted;
}

const STOPPED = {
  suspended: integer,
  heldIdentities: integer,
  heldTasks: integer,
  highRisk: integer,
  hosts: integer,
  disabledOwners: integer,
};

const stopped = statement(
  "admin_stopped",
  STOPPED,
  `SELECT (SELECT count(*)::int FROM tasks WHERE held_at IS NOT NULL) AS "heldTasks",
     (SELECT count(*)::int FROM identities i WHERE ${HELD_ROW})
       + (SELECT count(*)::int FROM profiles p WHERE p.held_at IS NOT NULL AND NOT EXISTS (SELECT FROM identities i WHERE i.id = p.id))
       AS "heldIdentities",
     (SELECT count(*)::int FROM identities WHERE state = 'suspended')
       + (SELECT count(*)::int FROM profiles p WHERE p.suspended_at IS NOT NULL AND NOT EXISTS (SELECT FROM identities i WHERE i.id = p.id))
       AS suspended,
     (SELECT count(*)::int FROM identities i WHERE ${RISK} = 'high') AS "highRisk",
     (SELECT count(*)::int FROM hosts) AS hosts,
     (SELECT count(*)::int FROM owners WHERE disabled_at IS NOT NULL) AS "disabledOwners"`,
);

/** How many things a decision has stopped. */
export async function readStopped(): Promise<RowOf<typeof STOPPED>> {
  const [counted] = await stopped();
  if (!counted) throw new Error("The query of what is stopped returned no row.");
  return counted;
}
