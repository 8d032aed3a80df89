import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { replaceProber } from "#lib/identity/domain/probing.ts";
import { newId } from "#lib/kernel/ids.ts";
import { findStripeEvent, readOpenTransfers } from "#lib/payments/read.ts";
import { recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { provingProber, testService } from "#testing/client.ts";
import { actAsOwner, joined, member, publish } from "#testing/community.ts";
import { registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import { listEvents } from "./page-reads/audit.ts";
import { findSubjectFacts, listSubjects } from "./page-reads/identities.ts";
import { readNumbers, WEEKS, weeksUntil } from "./page-reads/numbers.ts";
import { findJob, listJobs } from "./page-reads/queue.ts";
import { findReport, listReports } from "./page-reads/reports.ts";
import { findSettlement, listSettlements, readTotals } from "./page-reads/settlements.ts";
import { listAllTasks, readWholeTask } from "./page-reads/tasks.ts";
import * as schema from "./schema.ts";

// What the console's acts do, and what its pages show.

let administrator: TestAdministrator;
testService({}, async () => {
  administrator = await signedInAdministrator();
});

test("waiting transfers are listed by page, oldest first", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    const { rows: settlements } = await listSettlements(
      schema.SettlementsQuery.parse({ q: (await taskAt("submitted", { requester, provider })).taskId }),
    );
    ids.push(settlements[0]?.id ?? "");
  }
  await pool().query(
    `INSERT INTO transfer_intents (id, settlement_id, provider_id, amount_pence, created_at)
     SELECT 'trf_' || n, id, $2, 100, now() FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, n)`,
    [ids, provider.publicId],
  );
  const [first, ...more] = await readOpenTransfers(1);
  // Its settlement has another transfer, which was sent before; and it leaves the list before the next page is read.
  await pool().query(
    `INSERT INTO transfer_intents (id, settlement_id, provider_id, amount_pence, state, created_at)
     VALUES ('trf_9', $1, $2, 100, 'sent', now() + interval '1 hour')`,
    [ids[0], provider.publicId],
  );
  await pool().query("UPDATE transfer_intents SET state = 'failed' WHERE id = $1", [first?.place.id]);
  const rest = await readOpenTransfers(10, first?.place);
  assert.deepEqual([[first, ...rest].map((transfer) => transfer?.settlementId), more], [ids, []]);
  assert.ok(first?.holds.some(({ reason }) => reason === "transfers_active"));
});

test("identities are found by ID, name prefix, host and owner's e-mail address", async () => {
  const agent = await registerAgent({ name: "Lighthouse Keeper", endpoint: "https://beacon.example.org/run" });
  const owner = await signedInOwner();
  const profile = await member({ name: "Lighthouse Visitor" }, owner);
  const find = async (q: string, kind?: string) =>
    (await listSubjects(schema.IdentitiesQuery.parse({ q, ...(kind ? { kind } : {}) }))).rows.map(({ id }) => id);
  for (const q of [agent.publicId, "Lighth", "lighthouse kee", "beacon.example.org", "beacon"])
    assert.deepEqual(await find(q), [agent.publicId], q);
  assert.deepEqual(await find("lighthouse", "community"), [profile.publicId]);
  assert.deepEqual(await find(owner.email.toUpperCase(), "community"), [profile.publicId]);
  for (const q of ["!!", "& | !", "nobody@example.com", newId("agt"), "'; DROP TABLE"])
    assert.deepEqual(await find(q), [], q);
  succeeded(await administrator.act("hold", { subject: profile.publicId }));
  const held = await listSubjects(schema.IdentitiesQuery.parse({ kind: "community", held: "1" }));
  assert.deepEqual(
    held.rows.map(({ id, ownerEmail }) => [id, ownerEmail]),
    [[profile.publicId, owner.email]],
  );
});

test("a service and its profile are one subject, with the owner of the profile", async () => {
  const agent = await registerAgent({ name: "Both" });
  await joined(agent);
  const facts = await findSubjectFacts(agent.publicId);
  assert.ok(facts?.service && facts.profile);
  assert.deepEqual([facts.name, facts.owner, facts.profile.posts], ["Both", null, 0]);
  assert.equal(await findSubjectFacts(newId("agt")), undefined);
});

test("an administrator reads all of an unlisted task, and finds it by its hold", async () => {
  const requester = await registerAgent();
  const { task_id } = await postTask(requester, { visibility: "unlisted", brief: "Between us alone." });
  const whole = await readWholeTask(administrator.ctx, task_id);
  assert.deepEqual([whole?.task.brief, whole?.events.map(({ action }) => action)], ["Between us alone.", ["create"]]);
  succeeded(await administrator.act("hold", { subject: task_id }));
  const list = async (query: object) => {
    const { rows: tasks } = await listAllTasks(administrator.ctx, schema.TasksQuery.parse(query));
    return tasks.map(({ id }) => id);
  };
  assert.deepEqual(await list({ held: "1" }), [task_id]);
  assert.deepEqual(await list({ q: requester.publicId, visibility: "unlisted", state: "open" }), [task_id]);
  assert.deepEqual(await list({ q: task_id, state: "expired" }), []);
  assert.equal(await readWholeTask(administrator.ctx, newId("tsk")), undefined);
});

test("settlements are found by their IDs and parties, and totals count all matches except void ones", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const [done, gone] = [
    await taskAt("completed", { requester, provider }, { amountPence: 999 }),
    await taskAt("cancelled", { requester, provider }, { amountPence: 700 }),
  ];
  const list = async (query: object) => listSettlements(schema.SettlementsQuery.parse(query));
  const { rows: settlements } = await list({ q: requester.publicId });
  assert.deepEqual(
    settlements.map(({ taskId, state }) => [taskId, state]),
    [
      [gone.taskId, "void"],
      [done.taskId, "approved"],
    ],
  );
  const id = settlements[1]?.id ?? "";
  for (const q of [id, done.taskId, done.contractId])
    assert.deepEqual(
      (await list({ q })).rows.map((found) => found.id),
      [id],
    );
  assert.deepEqual((await list({ q: "nothing" })).rows, []);
  const totals = await readTotals(schema.SettlementsQuery.parse({ q: provider.publicId }));
  assert.deepEqual(totals.TEST, { count: 1, grossPence: 999, feePence: 100, netPence: 899 });
  assert.equal(totals.LIVE.count, 0);
  const booked = await findSettlement(id);
  assert.deepEqual(
    booked?.bookings.map(({ kind }) => kind),
    ["funding", "approval", "transfer"],
  );
});

test("the audit trail can be filtered by actor, action, subject and day together", async () => {
  const agent = await registerAgent({ name: "Log Keeper" });
  succeeded(await administrator.act("risk", { public_id: agent.publicId, risk: "low" }));
  const today = new Date().toISOString().slice(0, 10);
  const find = async (query: object) => {
    const { rows: events } = await listEvents(schema.AuditQuery.parse({ subject: agent.publicId, ...query }));
    return events.map(({ action }) => action);
  };
  assert.deepEqual(await find({}), ["risk", "register"]);
  for (const actor of [administrator.ownerId, administrator.email, administrator.name])
    assert.deepEqual(await find({ actor, action: "risk", from: today, to: today, kind: "administrator" }), ["risk"]);
  const { rows: events } = await listEvents(schema.AuditQuery.parse({ subject: agent.publicId }));
  assert.ok(events.every(({ names }) => names[agent.publicId] === "Log Keeper"));
  assert.deepEqual(await find({ to: "2020-01-01" }), []);
  assert.deepEqual(await find({ from: "2099-01-01" }), []);
  assert.deepEqual(await find({ kind: "visitor" }), ["register"]);
  assert.deepEqual(await find({ actor: "nobody@example.com" }), []);
});

test("every act on an identity is audited with the administrator's account, name and reason", async () => {
  const { publicId: public_id } = await verifiedAgent();
  const acts: [string, object][] = [
    ["suspend", { public_id }],
    ["restore", { public_id }],
    ["hold", { subject: public_id }],
    ["unhold", { subject: public_id }],
    ["risk", { public_id, risk: "high" }],
    ["quota", { public_id, quota: "tasks", limit: 700 }],
    ["deny", { public_id, action: "claim" }],
    ["allow", { public_id, action: "claim" }],
    ["check_domain", { public_id }],
  ];
  for (const [name, fields] of acts) succeeded(await administrator.act(name, { ...fields, reason: `Why ${name}.` }));
  const record = await recordOf(public_id);
  assert.deepEqual(
    record.reverse().map(({ action, reason }) => [action, reason]),
    acts.map(([name]) => [name, `Why ${name}.`]),
  );
  for (const { actorId, actorName, data } of record) {
    assert.deepEqual([actorId, actorName], [administrator.ownerId, "Tess of the Hall"]);
    assert.equal((data as { administrator: string }).administrator, "Tess of the Hall");
  }
  const facts = await findSubjectFacts(public_id);
  assert.deepEqual([facts?.suspended, facts?.heldAt, facts?.service?.risk, facts?.denied], [false, null, "high", []]);
});

test("the audit trail keeps the name that an administrator had at the time", async () => {
  const { publicId: public_id } = await registerAgent();
  const former = await signedInOwner({ role: "administrator", name: "Maiden Name" });
  const body = { public_id, reason: "Because." };
  succeeded(await callAsOwner(former, "POST", "/api/v1/admin/suspend.php", body));
  await pool().query("UPDATE owners SET name = 'Married Name' WHERE id = $1", [former.ownerId]);
  assert.equal((await recordOf(public_id))[0]?.actorName, "Maiden Name");
});

test("an unknown action, level or subject is refused with an error on its field", async () => {
  const { publicId: public_id } = await registerAgent();
  for (const [name, fields, path] of [
    ["deny", { public_id, action: "breathe" }, "action"],
    ["risk", { public_id, risk: "mortal" }, "risk"],
    ["quota", { public_id, quota: "posts", limit: 1 }, "quota"],
    ["quota", { public_id, quota: "tasks", limit: -1 }, "limit"],
    ["quota", { public_id, quota: "tasks", limit: "7" }, "limit"],
    ["quota", { public_id, quota: "tasks", limit: 10_001 }, "limit"],
    ["suspend", { public_id: "tsk_1" }, "public_id"],
    ["resolve_dispute", { dispute_id: newId("dsp"), resolution: "both" }, "resolution"],
  ] as const) {
    const { status, error } = await administrator.act(name, fields);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, path]);
  }
  assert.equal((await administrator.act("suspend", { public_id: newId("agt") })).error?.code, "not_found");
  assert.equal((await administrator.act("hold", { subject: newId("tsk") })).error?.code, "not_found");
  const unknown = { public_id: newId("agt"), quota: "offers", limit: 1 };
  assert.equal((await administrator.act("quota", unknown)).error?.code, "not_found");
});

test("an administrator's domain check counts like a scheduled one, and answers with its result", async () => {
  const { publicId: public_id } = await registerAgent();
  const check = async () =>
    (await administrator.act<{ verification_status: string; found: string }>("check_domain", { public_id })).body;
  assert.equal((await check()).verification_status, "verified");
  replaceProber({ probe: async () => ({ ok: false, reason: "tls", detail: "The certificate is not trusted." }) });
  try {
    const answers = [await check(), await check(), await check()];
    assert.deepEqual(
      answers.map(({ verification_status: status }) => status),
      ["grace", "grace", "lapsed"],
    );
    assert.equal(answers[0]?.found, "The certificate is not trusted.");
    assert.equal((await check()).verification_status, "lapsed");
  } finally {
    replaceProber(provingProber);
  }
  assert.equal((await check()).verification_status, "verified");
  assert.deepEqual(
    (await recordOf(public_id)).filter(({ action }) => action === "check_domain").map(({ data }) => data?.found),
    ["proof", "tls", "tls", "tls", "tls", "proof"],
  );
});

test("dismissing a report is audited and keeps the post; withdrawing the post upholds open reports", async () => {
  const [author, one, two] = [await member(), await signedInOwner(), await signedInOwner()];
  const post = await publish(author, { title: "Spam", body: "Buy" });
  const report = async (by: TestOwner) => {
    const answer = await actAsOwner<{ report_id: string }>(by, "report", { post_id: post.post_id, reason: "Spam." });
    return answer.body.report_id;
  };
  const [first, second] = [await report(one), await report(two)];
  assert.equal((await findReport(first))?.reporterEmail, one.email);
  succeeded(await administrator.act("dismiss_report", { report_id: first }));
  assert.equal((await administrator.act("dismiss_report", { report_id: first })).error?.code, "state_conflict");
  assert.deepEqual([(await findReport(first))?.state, (await findReport(first))?.body], ["dismissed", "Buy"]);
  const { rows: reports } = await listReports(schema.ReportsQuery.parse({ limit: "100" }));
  assert.deepEqual(
    reports.filter(({ subjectId }) => subjectId === post.post_id).map(({ id }) => id),
    [second],
  );
  succeeded(await administrator.act("withdraw_post", { post_id: post.post_id }));
  assert.deepEqual([(await findReport(first))?.state, (await findReport(second))?.state], ["dismissed", "upheld"]);
  assert.equal((await recordOf(first))[0]?.action, "dismiss");
  assert.equal((await administrator.act("dismiss_report", { report_id: newId("rpt") })).error?.code, "not_found");
});

test("a failed job is retried with fresh attempts or removed; a running one is not touched", async () => {
  const plant = async (set: string) => {
    const { rows } = await pool().query(
      "SELECT id::text FROM graphile_worker.add_job('recheck-domain', '{}', run_at => now() + interval '1 day')",
    );
    await pool().query(`UPDATE graphile_worker._private_jobs SET ${set} WHERE id = $1`, [rows[0].id]);
    return rows[0].id as string;
  };
  const failed = await plant("attempts = 25, last_error = 'Boom'");
  const running = await plant("locked_at = now(), locked_by = 'someone'");
  assert.deepEqual([(await findJob(failed))?.state, (await findJob(running))?.state], ["failed", "running"]);
  const { rows: jobs } = await listJobs(schema.JobsQuery.parse({ state: "failed" }));
  assert.deepEqual(
    jobs.map(({ id }) => id),
    [failed],
  );
  succeeded(await administrator.act("retry_job", { job_id: failed }));
  const again = await findJob(failed);
  assert.deepEqual([again?.attempts, (again?.runAt ?? new Date(0)) <= new Date()], [0, true]);
  succeeded(await administrator.act("remove_job", { job_id: failed }));
  assert.equal(await findJob(failed), undefined);
  assert.deepEqual(
    (await recordOf(failed)).map(({ action, data }) => [action, data?.last_error]),
    [
      ["remove_job", "Boom"],
      ["retry_job", "Boom"],
    ],
  );
  for (const name of ["retry_job", "remove_job"]) {
    assert.equal((await administrator.act(name, { job_id: running })).error?.code, "state_conflict");
    assert.equal((await administrator.act(name, { job_id: failed })).error?.code, "not_found");
  }
});

test("a Stripe event is processed again, with an audited reason", async () => {
  await pool().query(
    `INSERT INTO stripe_events (id, endpoint, type, livemode, state, problem, created_at, received_at, processed_at)
     VALUES ('evt_1abc', 'platform', 'charge.refunded', true, 'failed', 'Stripe: unreachable', now(), now(), now())`,
  );
  succeeded(await administrator.act("retry_event", { event_id: "evt_1abc", reason: "Stripe is back." }));
  const event = await findStripeEvent("evt_1abc");
  assert.deepEqual([event?.state, event?.problem, event?.processedAt], ["received", null, null]);
  const { rowCount } = await pool().query("SELECT FROM graphile_worker._private_jobs WHERE key = 'event:evt_1abc'");
  assert.equal(rowCount, 1);
  assert.deepEqual(
    (await recordOf("evt_1abc")).map(({ action, reason }) => [action, reason]),
    [["retry_event", "Stripe is back."]],
  );
  assert.equal((await administrator.act("retry_event", { event_id: "evt_2" })).error?.code, "not_found");
  assert.equal((await administrator.act("retry_event", { event_id: "nonsense" })).status, 422);
});

test("numbers are counted per week from Monday in UTC, separately for each mode", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const before = await readNumbers(new Date());
  await taskAt("completed", { requester, provider }, { amountPence: 1_000 });
  const now = new Date();
  const numbers = await readNumbers(now);
  const grown = (one: number[], other: number[]) => (other.at(-1) ?? 0) - (one.at(-1) ?? 0);
  assert.deepEqual(
    [
      grown(before.tasks, numbers.tasks),
      grown(before.completions, numbers.completions),
      grown(before.settled.TEST.gross, numbers.settled.TEST.gross),
      grown(before.settled.TEST.fee, numbers.settled.TEST.fee),
      numbers.taskStates.completed - before.taskStates.completed,
    ],
    [1, 1, 1_000, 100, 1],
  );
  assert.deepEqual(numbers.settled.LIVE.gross, Array(WEEKS).fill(0));
  assert.equal(numbers.registrations.length, WEEKS);
  await pool().query("UPDATE identities SET created_at = created_at - interval '7 days' WHERE id = $1", [
    requester.publicId,
  ]);
  const shifted = await readNumbers(now);
  assert.equal((shifted.registrations.at(-2) ?? 0) - (numbers.registrations.at(-2) ?? 0), 1);
});

test("weeks begin on Monday, on every day of the week", () => {
  for (const [day, monday] of [
    ["2026-11-16T00:00:00Z", "2026-11-16"],
    ["2026-11-22T23:59:59Z", "2026-11-16"],
    ["2026-11-23T00:00:00Z", "2026-11-23"],
  ] as const)
    assert.equal(weeksUntil(new Date(day)).at(-1)?.toISOString().slice(0, 10), monday);
});
