import type { Pool } from "pg";
import { pool } from "#lib/db/client.ts";
import { stated } from "#lib/db/log-statement.ts";

/** What the transparency log says about a task, or an identity's domain: the statements of this chain, oldest first. */
export async function statementsAbout(
  chain: string,
  events = /./,
): Promise<{ event: string; facts: Record<string, unknown> }[]> {
  const { rows } = await pool().query("SELECT statement FROM log_statements WHERE chain = $1 ORDER BY n", [chain]);
  const all = rows.map(({ statement }) => JSON.parse(statement));
  return all.filter(({ event }) => events.test(event)).map(({ event, facts }) => ({ event, facts }));
}

/**
 * Writes events with statements straight into the database, chains taking turns.
 * @param where `prefix` of the chains' names, which are tasks that exist nowhere else; or the `chain` of one that exists, to be longer
 */
export async function writeStatements(
  database: Pick<Pool, "query">,
  where: { count: number } & ({ chains: number; prefix: string } | { chain: string }),
): Promise<void> {
  const [prefix, chains, chain] = "chain" in where ? ["", 1, where.chain] : [where.prefix, where.chains, null];
  // One statement of a chain at a time, as the service writes them.
  for (let from = 0; from < where.count; from += chains)
    await database.query(
      `WITH recorded AS (
         INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
         SELECT 'evt_' || $1 || n, date_trunc('milliseconds', now()), 'service', 'agt_test', 'claim', 'task', coalesce($4, $1 || n % $3::int),
           CASE WHEN n <= $3::int AND $4 IS NULL THEN 'task.created' ELSE 'task.claimed' END, '{}', '{}'
         FROM generate_series($2::int + 1, least($2::int + $3::int, $5::int)) n RETURNING seq, type, at, subject_id
       ), ${stated(`(
         SELECT seq, subject_id AS chain, type AS event, '{"actor":{"kind":"service","public_id":"agt_test"},"at":'
           || to_json(to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text || ',"chain":' || to_json(subject_id)::text
           || ',"event":' || to_json(type)::text || ',"facts":{},"log":' AS head,
           ',"salt":"AAAAAAAAAAAAAAAAAAAAAA","type":"guildhall.statement/1"}' AS tail, NULL AS text_salt, 'test.example/log' AS first_origin
         FROM recorded
       )`)} SELECT count(*) FROM stated`,
      [prefix, from, chains, chain, where.count],
    );
}
