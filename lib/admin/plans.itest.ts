import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { systemClock } from "#lib/kernel/clock.ts";
import { encodeCursor } from "#lib/kernel/cursor.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { assertPlans, fixStatistics, statementsOf } from "#testing/plans.ts";
import { plantSeed } from "../../prisma/seed/plant.ts";
import type { AdminContext } from "./context.ts";
import { listEvents, readEventsAbout } from "./page-reads/audit.ts";
import { listDisputes } from "./page-reads/disputes.ts";
import { listHosts, readHost } from "./page-reads/hosts.ts";
import { listSubjects } from "./page-reads/identities.ts";
import { listAppeals, listHeldPosts } from "./page-reads/moderation.ts";
import { countWaiting } from "./page-reads/overview.ts";
import { findOwnerFacts, listOwners, readAdministrators } from "./page-reads/owners.ts";
import { listJobs } from "./page-reads/queue.ts";
import { listReports, readPendingReports, readReportsAbout } from "./page-reads/reports.ts";
import { listSettlements } from "./page-reads/settlements.ts";
import { listAllTasks } from "./page-reads/tasks.ts";
import * as schema from "./schema.ts";

// Every list of the console, over tables that are too long to be read from one end to the other.
const ROWS = 7_000;
const THIRD = Math.floor(ROWS / 3);

let client: pg.Client;
const ctx: AdminContext = {
  actor: { kind: "administrator", id: "own_x" },
  clock: systemClock,
  requestId: "req_x",
};
const ids = { agent: "", report: "", dispute: "", held: "", task: "", owner: "", host: "" };

const service = testService({}, async () => {
  await plantSeed(service.ownerUrl, { agents: ROWS, offers: 0, tasks: ROWS, posts: 0, seed: 0.1 });
  client = new pg.Client({ connectionString: service.ownerUrl });
  await client.connect();
  await plant();
  return () => client.end();
});

/** Reports, disputes and jobs, many of them with the same time, and one administrator's act among many other entries. */
async function plant(): Promise<void> {
  await client.query(`
    INSERT INTO owners (id, email, name, created_at) SELECT 'own_' || n, n || '@example.com', 'Owner', now() FROM generate_series(1, ${ROWS}) n;
    INSERT INTO profiles (id, name, joined_at, key_digest, key_hint, key_created_at) VALUES ('agt_author', 'Author', now(), '\\x01', 'abcd', now());
    INSERT INTO profiles (id, name, joined_at, key_digest, key_hint, key_created_at)
      SELECT id, name, now(), decode(md5(id), 'hex'), 'abcd', now() FROM identities;
    INSERT INTO posts (id, seq, thread_id, room, author_id, body, created_at) VALUES ('pst_x', next_post_seq(), 'thr_x', 'general', 'agt_author', 'Text', now());
    INSERT INTO hosts (host, held_at, updated_at) SELECT 'held-' || n || '.example', now(), now() FROM generate_series(1, 500) n;
    INSERT INTO reports (id, subject_kind, subject_id, post_id, owner_id, reason, state, created_at)
      SELECT 'rpt_' || rpad(translate(n::text, '0', 'o'), 22, 'z'), kind::report_subject,
        CASE kind WHEN 'post' THEN 'pst_x' WHEN 'agent' THEN (SELECT id FROM identities LIMIT 1) ELSE t.ids[n % 50 + 1] END,
        CASE kind WHEN 'post' THEN 'pst_x' END, 'own_' || n, 'Why', CASE WHEN n % 3 = 0 THEN 'dismissed' ELSE 'open' END::report_state,
        date_trunc('hour', now()) - (n / 100) * interval '1 minute' FROM generate_series(1, ${ROWS}) n, LATERAL (SELECT (ARRAY['post', 'agent', 'task'])[n % 3 + 1] AS kind) k,
        (SELECT array_agg(id) AS ids FROM tasks) t;
    INSERT INTO disputes (id, task_id, opened_by, reason, state, created_at)
      SELECT 'dsp_' || substr(id, 5), id, requester_id, 'Why', CASE WHEN seq % 3 = 0 THEN 'resolved' ELSE 'open' END::dispute_state,
        date_trunc('hour', now()) - (seq / 100) * interval '1 minute' FROM tasks;
    INSERT INTO post_patterns (id, kind, pattern, reason, created_by, created_at) VALUES ('pat_x', 'literal', 'x', 'Why', 'own_1', now());
    INSERT INTO held_posts (id, author_id, pattern_id, thread_id, room, body, created_at, state)
      SELECT 'pst_' || rpad(translate(n::text, '0', 'o'), 22, 'z'), 'agt_author', 'pat_x', 'thr_x', 'general', 'Text',
        date_trunc('hour', now()) - (n / 100) * interval '1 minute', CASE WHEN n % 5 = 0 THEN 'waiting' ELSE 'refused' END::held_post_state
      FROM generate_series(1, ${ROWS}) n;
    INSERT INTO moderations (id, agent_id, act, subject_id, reason, done_by, at, appeal, appealed_at)
      SELECT 'mod_' || n, 'agt_author', 'refuse', 'pst_x', 'Why', 'own_1', now(),
        CASE n % 3 WHEN 1 THEN 'open' WHEN 2 THEN 'upheld' END::appeal_state, CASE WHEN n % 3 > 0 THEN now() END FROM generate_series(1, ${ROWS}) n;
    INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id)
      SELECT 'evt_' || n, now() - (${ROWS} - n) * interval '1 minute', CASE WHEN n % ${THIRD} = 7 THEN 'administrator' ELSE 'service' END, 'agt_author', 'claim',
        'task', 'tsk_' || n FROM generate_series(1, ${ROWS}) n;
    SELECT count(graphile_worker.add_job('recheck-domain', '{}', run_at => now() + interval '1 day')) FROM generate_series(1, ${ROWS});
    UPDATE graphile_worker._private_jobs SET attempts = 25 WHERE id % ${THIRD} = 0;`);
  await fixStatistics(service.ownerUrl);
  ids.agent = (await client.query("SELECT id FROM identities ORDER BY seq LIMIT 1")).rows[0].id;
  ids.task = (await client.query("SELECT id FROM tasks ORDER BY seq LIMIT 1")).rows[0].id;
  ids.report = (await client.query(`SELECT id FROM reports WHERE state = 'open' LIMIT 1 OFFSET ${THIRD}`)).rows[0].id;
  ids.held = (
    await client.query(`SELECT id FROM held_posts WHERE state = 'waiting' LIMIT 1 OFFSET ${ROWS / 10}`)
  ).rows[0].id;
  ids.host = (await client.query("SELECT host FROM identities LIMIT 1")).rows[0].host;
  // Well-formed owner IDs, to search for and to use as cursors.
  ids.owner = newId("own");
  await client.query("UPDATE owners SET id = $1 WHERE id = $2", [ids.owner, `own_${ROWS / 2}`]);
  ids.dispute = (await client.query(`SELECT id FROM disputes WHERE state = 'open' LIMIT 1 OFFSET ${THIRD}`)).rows[0].id;
}

const LARGE = new Set<unknown>([
  "identities",
  "profiles",
  "owners",
  "tasks",
  "reports",
  "disputes",
  "held_posts",
  "moderations",
  "audit_events",
  "settlements",
  "_private_jobs",
]);
const MIDDLE = encodeCursor(String(ROWS / 2));

const LISTS: Record<string, () => Promise<unknown>> = {
  identities: () => listSubjects(schema.IdentitiesQuery.parse({})),
  "identities, a page in the middle": () => listSubjects(schema.IdentitiesQuery.parse({ cursor: MIDDLE })),
  "an identity by its ID": () => listSubjects(schema.IdentitiesQuery.parse({ q: ids.agent })),
  tasks: () => listAllTasks(ctx, schema.TasksQuery.parse({})),
  "tasks, a page in the middle": () => listAllTasks(ctx, schema.TasksQuery.parse({ cursor: MIDDLE })),
  "a task by its ID": () => listAllTasks(ctx, schema.TasksQuery.parse({ q: ids.task })),
  reports: () => listReports(schema.ReportsQuery.parse({})),
  "reports, a page in the middle": () => listReports(schema.ReportsQuery.parse({ cursor: ids.report })),
  "decided reports": () => listReports(schema.ReportsQuery.parse({ state: "dismissed" })),
  "reports about tasks": () => listReports(schema.ReportsQuery.parse({ kind: "task" })),
  "reports from the command line": () => readPendingReports(100),
  "reports about one subject": () => readReportsAbout(ids.task),
  owners: () => listOwners(schema.OwnersQuery.parse({})),
  "owners, a page in the middle": () => listOwners(schema.OwnersQuery.parse({ cursor: ids.owner })),
  "owners by a part of the name": () => listOwners(schema.OwnersQuery.parse({ q: "own" })),
  "an owner by its ID": () => listOwners(schema.OwnersQuery.parse({ q: ids.owner })),
  "everything about an owner": () => findOwnerFacts(ids.owner),
  administrators: () => readAdministrators(),
  "the identities of a host": () => listSubjects(schema.IdentitiesQuery.parse({ q: `host:${ids.host}` })),
  "how a host stands": () => readHost(ids.host),
  hosts: () => listHosts(schema.HostsQuery.parse({})),
  disputes: () => listDisputes(schema.DisputesQuery.parse({})),
  "disputes, a page in the middle": () => listDisputes(schema.DisputesQuery.parse({ cursor: ids.dispute })),
  "held posts": () => listHeldPosts(schema.HeldPostsQuery.parse({})),
  "held posts, a page in the middle": () => listHeldPosts(schema.HeldPostsQuery.parse({ cursor: ids.held })),
  appeals: () => listAppeals(schema.AppealsQuery.parse({})),
  "decided appeals": () => listAppeals(schema.AppealsQuery.parse({ state: "decided" })),
  "how much waits": () => countWaiting(),
  settlements: () => listSettlements(schema.SettlementsQuery.parse({})),
  "settlements of a party": () => listSettlements(schema.SettlementsQuery.parse({ q: ids.agent })),
  jobs: () => listJobs(schema.JobsQuery.parse({})),
  "failed jobs": () => listJobs(schema.JobsQuery.parse({ state: "failed" })),
  "jobs, a page in the middle": () => listJobs(schema.JobsQuery.parse({ cursor: MIDDLE })),
  record: () => listEvents(schema.AuditQuery.parse({})),
  "record, a page in the middle": () => listEvents(schema.AuditQuery.parse({ cursor: MIDDLE })),
  "record of a subject": () => listEvents(schema.AuditQuery.parse({ subject: ids.task })),
  "record of administrators": () => listEvents(schema.AuditQuery.parse({ kind: "administrator" })),
  "record about several things": () => readEventsAbout([ids.task, ids.agent]),
};

for (const [name, read] of Object.entries(LISTS)) {
  test(`${name}: a page is read through indexes, never by a sequential scan`, async () => {
    const sent = await statementsOf(async () => void (await read()));
    await assertPlans(sent, LARGE, [], ["these"]);
  });
}

type Listed = { rows: { id: string }[]; nextCursor: string | null };
const PAGED: [read: (cursor: string | undefined) => Promise<Listed>, rows: string][] = [
  [(cursor) => listDisputes(schema.DisputesQuery.parse({ cursor, limit: "100" })), "disputes WHERE state = 'open'"],
  [
    (cursor) => listReports(schema.ReportsQuery.parse({ cursor, limit: "100", state: "dismissed" })),
    "reports WHERE state = 'dismissed'",
  ],
  [
    (cursor) => listJobs(schema.JobsQuery.parse({ cursor, limit: "2", state: "failed" })),
    "graphile_worker._private_jobs WHERE attempts >= max_attempts",
  ],
];

test("paging shows every row once, even among many with the same time", async () => {
  for (const [read, rows] of PAGED) {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await read(cursor);
      seen.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    assert.equal(new Set(seen).size, seen.length, rows);
    const { rows: counted } = await client.query(`SELECT count(*)::int AS count FROM ${rows}`);
    assert.equal(seen.length, counted[0].count, rows);
  }
});
