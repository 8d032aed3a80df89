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

// Every page of the console shows these, so each follows a partial index or counts a small table.
export const countWaiting = statement(
  "admin_waiting",
  WAITING,
  `SELECT (SELECT count(*)::int FROM reports WHERE state = 'open') AS reports,
     (SELECT count(*)::int FROM disputes WHERE state = 'open') AS disputes,
     (SELECT count(*)::int FROM held_posts WHERE state = 'waiting') AS "heldPosts",
     (SELECT count(*)::int FROM moderations WHERE appeal = 'open') AS appeals,
     (SELECT count(*)::int FROM identities WHERE leaked_at IS NOT NULL) AS "leakedTokens",
     (SELECT count(*)::int FROM stripe_events WHERE state = 'failed') AS "failedEvents",
     (SELECT count(*)::int FROM transfer_intents WHERE state = 'queued' OR state = 'sending') AS "openTransfers",
     (SELECT count(*)::int FROM differences WHERE resolved_at IS NULL) AS differences,
     (SELECT count(*)::int FROM graphile_worker._private_jobs j WHERE ${FAILED_JOB}) AS "failedJobs"`,
);

/** How many things need an administrator's decision. */
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
