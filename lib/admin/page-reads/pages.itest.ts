import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { readOpenTransfers } from "#lib/payments/read.ts";
import { signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { joined, member } from "#testing/community.ts";
import { registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import * as schema from "../schema.ts";
import { listEvents } from "./audit.ts";
import { findSubjectFacts, listSubjects } from "./identities.ts";
import { findSettlement, listSettlements, readTotals } from "./settlements.ts";
import { listAllTasks, readWholeTask } from "./tasks.ts";

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
