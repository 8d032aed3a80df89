import type { Pool } from "pg";
import { pool } from "#lib/db/client.ts";

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
  await database.query(
    `WITH event AS (
       INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
       SELECT 'evt_' || $1 || n, now(), 'service', 'agt_test', 'claim', 'task', coalesce($4, $1 || n % nullif($3::int, 0)),
         CASE WHEN n <= $3::int THEN 'task.created' ELSE 'task.claimed' END, '{}', '{}'
       FROM generate_series(1, $2::int) n RETURNING seq, type, at, subject_id
     ), ordered AS MATERIALIZED (SELECT * FROM event ORDER BY seq)
     SELECT count(write_statement(seq, type, at, subject_id, '{"kind":"service","public_id":"agt_test"}', '{}',
       'AAAAAAAAAAAAAAAAAAAAAA', NULL, 'test.example/log')) FROM ordered`,
    "chain" in where ? ["", where.count, 0, where.chain] : [where.prefix, where.count, where.chains, null],
  );
}
