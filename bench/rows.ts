import { withClient } from "#lib/db/with-client.ts";

/** Rows of each kind for each agent, or for each task that has messages. */
const EACH = 10;

/** SQL: an ID of the published form that a text gives. */
const newId = (prefix: string, seed: string) =>
  `'${prefix}_' || left(translate(encode(sha256((${seed})::bytea), 'hex'), '0', 'z'), 22)`;
const AGENTS = "(SELECT id, row_number() OVER (ORDER BY seq) - 1 AS n FROM identities WHERE state = 'active') i";
const PROFILES = "(SELECT id, row_number() OVER (ORDER BY seq) - 1 AS n FROM profiles WHERE claimed_at IS NOT NULL) a";
const TALKED = "(SELECT task_id, row_number() OVER (ORDER BY task_id) - 1 AS n FROM conversations) c";
const SOME = `generate_series(1, ${EACH}) AS k`;

/** What fills the lists that `plantSeed` leaves empty. Each has as many rows as the data set has tasks, or more than it has posts. */
const OF_TASKS = [
  // Empty ones: the counter of stored bytes is one row, which so many would queue for.
  `INSERT INTO files (id, task_id, uploader_id, purpose, name, size, media_type, sha256, state, created_at)
   SELECT ${newId("fil", "t.id || k")}, t.id, t.requester_id, 'brief', 'part-' || k || '.csv', 0, 'text/csv', encode(sha256(''), 'hex'), 'kept', t.created_at
   FROM ${TALKED} JOIN tasks t ON t.id = c.task_id, ${SOME}`,
  `INSERT INTO quotes (id, task_id, provider_id, amount_pence, note, expires_at, created_at)
   SELECT ${newId("qte", "c.task_id || k")}, c.task_id, i.id, 1000 + k, 'Within two days.', now() + interval '10 days', now()
   FROM ${TALKED}, ${SOME} JOIN ${AGENTS} ON true WHERE i.n = (c.n * ${EACH} + k) % (SELECT count(*) FROM identities WHERE state = 'active')`,
  `INSERT INTO access_tokens (id, identity_id, digest, name, scopes, hint, created_at, expires_at)
   SELECT ${newId("acc", "i.id || k")}, i.id, sha256(('bench' || i.id || k)::bytea), 'Token ' || k, '{read}', 'abcd', now(), now() + interval '90 days'
   FROM ${AGENTS}, ${SOME}`,
  `INSERT INTO rehearsals (id, identity_id, offer_id, state, seconds, created_at, ends_at, ended_at)
   SELECT ${newId("reh", "i.id || k")}, i.id, o.id, 'passed', 60, now(), now(), now()
   FROM ${AGENTS} CROSS JOIN LATERAL (SELECT id FROM offers WHERE identity_id = i.id LIMIT 1) o, ${SOME}`,
];
const OF_COMMUNITY = [
  // One act in a hundred has an open appeal.
  `INSERT INTO moderations (id, agent_id, act, subject_id, reason, done_by, at, appeal, appeal_reason, appealed_at)
   SELECT ${newId("mod", "a.id || k")}, a.id, 'hold', a.id, 'Held while we look.', 'bench', now() - k * interval '1 day',
     CASE WHEN (a.n * ${EACH} + k) % 100 = 0 THEN 'open'::appeal_state END, CASE WHEN (a.n * ${EACH} + k) % 100 = 0 THEN 'It was a test.' END,
     CASE WHEN (a.n * ${EACH} + k) % 100 = 0 THEN now() - k * interval '1 hour' END
   FROM ${PROFILES}, ${SOME}`,
  `INSERT INTO mutes (holder_id, muted_id, scope, at)
   SELECT a.id, b.id, 'mute', now() FROM ${PROFILES}, ${SOME} JOIN (SELECT id, row_number() OVER (ORDER BY seq) - 1 AS n FROM profiles) b ON true
   WHERE b.n = (a.n + k) % (SELECT count(*) FROM profiles)`,
  `INSERT INTO post_patterns (id, kind, pattern, reason, created_by, created_at, ended_at)
   VALUES (${newId("pat", "'bench'")}, 'literal', 'a phrase that nobody uses', 'Unwanted.', 'bench', now(), now())`,
  `INSERT INTO held_posts (id, author_id, pattern_id, thread_id, room, title, body, created_at, state, decided_at)
   SELECT ${newId("pst", "'held' || a.id || k")}, a.id, p.id, ${newId("thr", "'held' || a.id || k")}, 'general', 'Held', 'This waits for a decision.',
     now() - k * interval '1 hour', CASE WHEN k = 1 THEN 'waiting' ELSE 'refused' END::held_post_state, CASE WHEN k > 1 THEN now() END
   FROM ${PROFILES}, ${SOME}, post_patterns p`,
  "INSERT INTO rule_hits (day, rule, hits) SELECT now()::date - n, rule, 10 FROM generate_series(0, 1000) n, generate_series(1, 6) rule",
];

/** Adds them to a data set that was just seeded. */
export async function plantRows(url: string, { tasks, posts }: { tasks: number; posts: number }): Promise<void> {
  await withClient(url, async (client) => {
    for (const sql of [...(tasks > 0 ? OF_TASKS : []), ...(posts > 0 ? OF_COMMUNITY : [])]) await client.query(sql);
    await client.query("VACUUM (ANALYZE)");
  });
}
