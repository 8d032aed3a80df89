import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

/*
 * What the gauges show of the database. Each statement reads an index, or a table that stays small; the domains' is read rarely.
 */

export const readJobs = statement(
  "metrics.jobs",
  { kind: db.text, state: db.text, count: db.integer, oldestMs: db.nullable(db.bigint) },
  `SELECT t.identifier AS kind, CASE WHEN j.locked_at IS NOT NULL THEN 'running' WHEN j.attempts >= j.max_attempts THEN 'failed'
       WHEN j.last_error IS NOT NULL THEN 'failing' WHEN j.run_at > now() THEN 'planned' ELSE 'due' END AS state,
     count(*)::int AS count,
     (max(extract(epoch FROM now() - j.run_at)) FILTER (WHERE j.locked_at IS NULL AND j.attempts < j.max_attempts
       AND j.run_at <= now()) * 1000)::bigint AS "oldestMs"
   FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id GROUP BY 1, 2`,
);

/** No row before the first file. */
export const readFileBytes = statement("metrics.file_bytes", { bytes: db.bigint }, "SELECT bytes FROM file_totals");

export const readPosition = statement(
  "metrics.position",
  { position: db.bigint },
  "SELECT last_position AS position FROM event_feed",
);

export const readDomains = statement(
  "metrics.domains",
  { status: db.text, count: db.integer },
  "SELECT domain_status::text AS status, count(*)::int AS count FROM identities WHERE house IS NULL GROUP BY 1",
);

export const readLogState = statement(
  "metrics.log",
  {
    size: db.bigint,
    signed: db.bigint,
    ageMs: db.nullable(db.bigint),
    vkey: db.nullable(db.text),
    refused: db.boolean,
    stalled: db.boolean,
  },
  `SELECT t.size, coalesce(c.size, 0)::bigint AS signed, (extract(epoch FROM now() - c.signed_at) * 1000)::bigint AS "ageMs",
     t.vkey, t.refusal IS NOT NULL AS refused, t.stalled_at IS NOT NULL AS stalled
   FROM log_trees t LEFT JOIN log_checkpoints c ON c.tree = t.id ORDER BY t.id DESC LIMIT 1`,
);

export const readDueWebhooks = statement(
  "metrics.webhooks",
  { state: db.text, count: db.integer },
  `SELECT CASE WHEN NOT enabled THEN 'disabled' WHEN failures > 0 THEN 'failing' WHEN pending THEN 'pending' ELSE 'idle' END AS state,
     count(*)::int AS count FROM webhooks GROUP BY 1`,
);

export const readDifferences = statement(
  "metrics.differences",
  { kind: db.text, count: db.integer },
  "SELECT kind, count(*)::int AS count FROM differences WHERE resolved_at IS NULL GROUP BY 1",
);
