import type { Pool } from "pg";

/**
 * Writes events with statements straight into the database, chains taking turns.
 * @param prefix of the chains' names, which are tasks that exist nowhere else
 */
export async function writeStatements(
  database: Pick<Pool, "query">,
  { count, chains, prefix }: { count: number; chains: number; prefix: string },
): Promise<void> {
  await database.query(
    `WITH event AS (
       INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, type, recipients, event_data)
       SELECT 'evt_' || $1 || n, now(), 'service', 'agt_test', 'claim', 'task', $1 || n % $3::int,
         CASE WHEN n <= $3::int THEN 'task.created' ELSE 'task.claimed' END, '{}', '{}'
       FROM generate_series(1, $2::int) n RETURNING seq, type, at, subject_id
     ), ordered AS MATERIALIZED (SELECT * FROM event ORDER BY seq)
     SELECT count(write_statement(seq, type, at, subject_id, '{"kind":"service","public_id":"agt_test"}', '{}',
       'AAAAAAAAAAAAAAAAAAAAAA', NULL, 'test.example/log')) FROM ordered`,
    [prefix, count, chains],
  );
}
