import assert from "node:assert/strict";
import { test } from "node:test";
import { commandLineContext } from "#lib/admin/context.ts";
import { hold } from "#lib/admin/hold.ts";
import { denyAction, setRisk } from "#lib/admin/restrictions.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, expire, readTask, taskAt } from "#testing/workflow.ts";
import type { TaskWire } from "../schema.ts";
import type { MessageWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
let rival: TestAgent;
testService({}, async () => {
  [requester, provider, rival] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
});

type Page = { messages: MessageWire[]; next_before: number | null; next_after: number };

const write = (agent: TestAgent, taskId: string, body: string, more: object = {}) =>
  callAs<{ message: MessageWire }>(agent, "POST", "/api/v1/jobs/message.php", { task_id: taskId, body, ...more });
const read = (agent: TestAgent, taskId: string, more: object = {}) =>
  callAs<Page>(agent, "GET", "/api/v1/jobs/messages.php", { task_id: taskId, ...more });
const clarify = (agent: TestAgent, taskId: string, text: string) =>
  callAs<{ task: TaskWire }>(agent, "POST", "/api/v1/jobs/clarify.php", { task_id: taskId, text });
const show = (agent: TestAgent, taskId: string) => readTask(taskId, agent);
const offers = async (agent: TestAgent, taskId: string) =>
  (await show(agent, taskId)).available_actions.find(({ action }) => action === "message");

/** Writes messages in turn until one is refused, or all are sent. */
async function wrote(agent: TestAgent, taskId: string, bodies: string[], more: object = {}): Promise<string[]> {
  const outcomes = [];
  for (const body of bodies) outcomes.push(outcome(await write(agent, taskId, body, more)));
  return outcomes;
}

const bodies = ({ body }: { body: Page }) => body.messages.map((message) => message.body);

test("parties write to each other, and read both sides in the order of sending", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  const first = await write(provider, taskId, "  Which text?\r\nI see none. ");
  assert.equal(first.status, 201);
  assert.partialDeepStrictEqual(first.body.message, {
    seq: 1,
    task_id: taskId,
    from: provider.publicId,
    to: requester.publicId,
    body: "Which text?\nI see none.",
  });
  assert.match(first.body.message.message_id, /^msg_/);
  assert.equal((await write(requester, taskId, "The second one.", { to: provider.publicId })).body.message.seq, 2);
  for (const agent of [requester, provider]) {
    const { body } = await read(agent, taskId, { after: "0" });
    assert.deepEqual(
      body.messages.map(({ seq, from, to }) => [seq, from, to]),
      [
        [1, provider.publicId, requester.publicId],
        [2, requester.publicId, provider.publicId],
      ],
    );
    assert.deepEqual([body.next_before, body.next_after], [null, 2]);
    const newest = await read(agent, taskId, { limit: "1" });
    assert.deepEqual([bodies(newest), newest.body.next_before], [["The second one."], 2]);
    assert.deepEqual(bodies(await read(agent, taskId, { before: "2" })), bodies({ body }).slice(0, 1));
    const beyond = await read(agent, taskId, { after: "2", before: String(Number.MAX_SAFE_INTEGER) });
    assert.deepEqual([bodies(beyond), beyond.body.next_after], [[], 2]);
  }
});

test("askers of an open task write to its requester alone, who answers each by name", async () => {
  const { taskId } = await taskAt("open", { requester, provider });
  assert.equal(outcome(await write(requester, taskId, "Hello?")), "409 state_conflict");
  assert.equal(await offers(requester, taskId), undefined);
  assert.equal((await offers(rival, taskId))?.ready, true);
  assert.equal(outcome(await write(provider, taskId, "How long?")), "201");
  assert.equal((await write(requester, taskId, "A page.")).body.message.to, provider.publicId);
  const before = await show(provider, taskId);
  assert.equal((await write(rival, taskId, "What for?")).body.message.seq, 1);
  assert.deepEqual(await show(provider, taskId), before, "a rival's question shows");
  const unnamed = await write(requester, taskId, "To whom?");
  assert.deepEqual([unnamed.status, unnamed.error?.field_errors?.[0]?.path], [422, "to"]);
  assert.deepEqual((await offers(requester, taskId))?.fields, ["public_id", "task_id", "body", "to"]);
  assert.equal((await write(requester, taskId, "For a test.", { to: rival.publicId })).body.message.seq, 4);
  const misdirected = await write(rival, taskId, "To a rival", { to: provider.publicId });
  assert.deepEqual([misdirected.status, misdirected.error?.field_errors?.[0]?.path], [422, "to"]);
  const nobody = await verifiedAgent();
  assert.equal(outcome(await write(requester, taskId, "Unasked.", { to: nobody.publicId })), "409 state_conflict");
  assert.deepEqual(bodies(await read(requester, taskId, { after: "0" })), [
    "How long?",
    "A page.",
    "What for?",
    "For a test.",
  ]);
  // Each asker counts its own messages, so nobody learns how many others there are.
  for (const [agent, said] of [
    [provider, ["How long?", "A page."]],
    [rival, ["What for?", "For a test."]],
  ] as const) {
    const { body } = await read(agent, taskId, { after: "0" });
    assert.deepEqual([bodies({ body }), body.messages.map(({ seq }) => seq)], [said, [1, 2]]);
    const one = await read(requester, taskId, { with: agent.publicId, after: "0" });
    assert.deepEqual(bodies(one), said);
    assert.deepEqual(bodies(await read(agent, taskId, { with: requester.publicId, after: "1" })), said.slice(1));
  }
});

test("a task that wants quotes takes questions all the same", async () => {
  const { taskId } = await taskAt("open", { requester, provider }, { task: { open_to: "quotes" } });
  assert.equal((await offers(rival, taskId))?.ready, true);
  assert.equal(outcome(await write(rival, taskId, "What would you pay?")), "201");
  assert.equal(outcome(await write(requester, taskId, "Make an offer.")), "201");
});

test("only identities that could claim a task can ask about it", async () => {
  const { taskId } = await taskAt("open", { requester, provider }, { task: { skill: "counting" } });
  const skills = { skills: ["counting"] };
  const admin = commandLineContext("root");
  const reason = "A test.";
  const agents: [string, TestAgent, string | undefined][] = [
    ["unverified", await registerAgent(skills), "domain"],
    ["without the skill", await verifiedAgent(), "skills"],
    ["of high risk", await verifiedAgent(skills), "risk"],
    ["denied claims", await verifiedAgent(skills), "permission"],
    ["denied messages", await verifiedAgent(skills), "permission"],
    ["held", await verifiedAgent(skills), "hold"],
    ["able to claim", await verifiedAgent(skills), undefined],
  ];
  const [, , risky, noClaims, noMessages, held] = agents.map(([, { publicId }]) => ({ publicId, reason }));
  if (!risky || !noClaims || !noMessages || !held) throw new Error("an agent is missing");
  await setRisk(admin, { ...risky, risk: "high" });
  await denyAction(admin, { ...noClaims, action: "claim" });
  await denyAction(admin, { ...noMessages, action: "message" });
  await hold(admin, { subjectId: held.publicId, reason });
  for (const [name, agent, gate] of agents) {
    const offered = await offers(agent, taskId);
    assert.deepEqual([offered?.ready, offered?.blocked_by.map((each) => each.gate)], [!gate, gate ? [gate] : []], name);
    const { status, error } = await write(agent, taskId, "May I ask?");
    const failed = error?.gates?.filter(({ passed }) => !passed).map((each) => each.gate);
    assert.deepEqual([status, failed], gate ? [403, [gate]] : [201, undefined], name);
  }
});

test("a conversation goes on while its two sides deal with each other, and stays readable for both", async () => {
  const work = await taskAt("open", { requester, provider });
  const { taskId } = work;
  await write(rival, taskId, "A question.");
  await did(provider, "claim", work);
  const closed = async () => {
    assert.deepEqual(bodies(await read(rival, taskId)), ["A question."]);
    assert.equal(await offers(rival, taskId), undefined);
    assert.equal(outcome(await write(rival, taskId, "Still there?")), "409 state_conflict");
    assert.equal(outcome(await write(requester, taskId, "An answer.", { to: rival.publicId })), "409 state_conflict");
    assert.equal(outcome(await write(await verifiedAgent(), taskId, "And I?")), "409 state_conflict");
  };
  await closed();
  assert.equal((await write(requester, taskId, "To whom it concerns.")).body.message.to, provider.publicId);
  await did(provider, "release", work);
  assert.equal(outcome(await write(requester, taskId, "An answer.", { to: rival.publicId })), "201");
  assert.equal(outcome(await write(rival, taskId, "Thank you.")), "201");
  assert.deepEqual(bodies(await read(provider, taskId)), ["To whom it concerns."]);
  await did(provider, "claim", work);
  await did(requester, "cancel", work);
  for (const agent of [requester, provider]) {
    assert.equal((await offers(agent, taskId))?.ready, true);
    assert.equal(outcome(await write(agent, taskId, "Goodbye.")), "201");
  }
  await pool().query("UPDATE tasks SET updated_at = now() - interval '30 days' WHERE id = $1", [taskId]);
  for (const agent of [requester, provider, rival])
    assert.equal(outcome(await write(agent, taskId, "Too late.")), "409 state_conflict");
  assert.equal(await offers(requester, taskId), undefined);
  assert.equal((await read(provider, taskId)).body.messages.length, 3);
});

test("a selected provider and its requester write from the beginning, and nobody else", async () => {
  const task = { provider_public_id: provider.publicId };
  const { taskId } = await taskAt("open", { requester, provider }, { task });
  assert.equal(outcome(await write(requester, taskId, "Are you free?")), "201");
  assert.equal(outcome(await write(provider, taskId, "I am.")), "201");
  assert.equal(outcome(await write(rival, taskId, "So am I.")), "409 state_conflict");
  await expire(taskId);
  assert.equal(outcome(await write(provider, taskId, "It has expired.")), "201");
  const unlisted = await taskAt("open", { requester, provider }, { task: { visibility: "unlisted" } });
  assert.equal(outcome(await write(rival, unlisted.taskId, "A guess.")), "404 not_found");
  await did(provider, "claim", unlisted);
  await write(provider, unlisted.taskId, "Taken.");
  await did(provider, "release", unlisted);
  assert.equal(outcome(await write(provider, unlisted.taskId, "Given back.")), "409 state_conflict");
  assert.deepEqual(bodies(await read(provider, unlisted.taskId)), ["Taken."]);
});

test("nobody reads a message that is not theirs, by any way, and a hidden conversation is as if there were no task", async () => {
  const CANARY = "zebrafinch";
  const owner = await signedInOwner();
  const [asker, stranger, released] = [await verifiedAgent(), await verifiedAgent(), await verifiedAgent()];
  await pool().query("UPDATE identities SET owner_id = $2 WHERE id = $1", [stranger.publicId, owner.ownerId]);
  for (const visibility of ["listed", "unlisted"]) {
    const work = await taskAt("open", { requester, provider }, { task: { visibility } });
    const { taskId } = work;
    const isListed = visibility === "listed";
    if (isListed) {
      await write(asker, taskId, "My own question.");
      await write(rival, taskId, `A question about a ${CANARY}.`);
    }
    await did(released, "claim", work);
    await write(released, taskId, "My own message.");
    await did(released, "release", work);
    await did(provider, "claim", work);
    await write(provider, taskId, CANARY);
    await write(requester, taskId, CANARY);
    const unknown = newId("tsk");
    const readers: [string, TestAgent | undefined, own: string[] | undefined][] = [
      ["an asker", asker, isListed ? ["My own question."] : undefined],
      ["an earlier provider", released, ["My own message."]],
      ["a stranger", stranger, undefined],
      ["a visitor", undefined, undefined],
    ];
    for (const [who, agent, own] of readers) {
      const get = (path: string, query: object = {}) =>
        agent
          ? callAs<unknown>(agent, "GET", path, { ...query })
          : call<unknown>("GET", path, { query: query as Record<string, string> });
      const messages = (query: object) => get("/api/v1/jobs/messages.php", query);
      const others = [provider, rival, released, asker].filter((each) => each !== agent);
      for (const query of [{}, ...others.map(({ publicId }) => ({ with: publicId })), { after: 0 }, { limit: 0 }]) {
        const there = await messages({ task_id: taskId, ...query });
        if (own && !("with" in query)) assert.equal(there.status, 200, who);
        else if (agent) {
          const nowhere = await messages({ task_id: unknown, ...query });
          assert.deepEqual([there.status, there.error], [404, nowhere.error], `${who} ${JSON.stringify(query)}`);
        } else assert.equal(there.status, 401);
        if (own && "after" in query) assert.deepEqual(bodies(there as { body: Page }), own, who);
      }
      const ways: [path: string, query: object][] = [
        ["jobs/show", { task_id: taskId, history: "1" }],
        ["jobs/evidence", { task_id: taskId }],
        ["jobs/list", { q: CANARY }],
        ["jobs/mine", {}],
        ["jobs/inbox", {}],
        ["jobs/disputes", { task_id: taskId }],
        ["events", { after: 0 }],
        ["community/", { view: "feed", q: CANARY }],
        ["agents/directory", { q: CANARY }],
      ];
      for (const [path, query] of ways) {
        const { body } = await get(`/api/v1/${path}${path.endsWith("/") ? "" : ".php"}`, query);
        assert.ok(!JSON.stringify(body).includes(CANARY), `${who} ${path}`);
      }
    }
  }
  const EXPORT = "/api/v1/owners/export.php";
  assert.ok(!JSON.stringify((await callAsOwner(owner, "GET", EXPORT)).body).includes(CANARY));
  const { rows } = await pool().query(
    "SELECT (SELECT string_agg(e::text, '') FROM audit_events e) || coalesce((SELECT string_agg(statement, '') FROM log_statements), '') AS record",
  );
  assert.ok(!rows[0].record.includes(CANARY), "the record");
  const events = await prisma().auditEvent.findMany({ where: { type: "message.received" } });
  assert.ok(events.length > 0);
  for (const { recipients, eventData } of events) {
    const { from } = eventData as { from: string };
    assert.ok(recipients.length === 1 && !recipients.includes(from));
    assert.deepEqual(Object.keys(eventData as object).sort(), ["from", "message_id", "task_id"]);
  }
});

test("each bound holds however many messages are sent at once, and says which it is", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  const at = { other: provider.publicId, taskId };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => write(provider, taskId, `Message ${n}`)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 3);
  const reasons = new Set(answers.flatMap(({ error }) => (error ? [`${error.code} ${error.reason}`] : [])));
  assert.deepEqual([...reasons], ["quota_exceeded unanswered_messages"]);
  assert.deepEqual(await wrote(requester, taskId, ["One", "Two", "Three", "Four"]), [
    "201",
    "201",
    "201",
    "409 quota_exceeded",
  ]);
  const refused = async (agent: TestAgent, reason: string, of = taskId) => {
    const { error } = await changesNothing(reason, () => write(agent, of, "One more."));
    assert.deepEqual([error?.code, error?.reason], ["quota_exceeded", reason]);
  };
  await pool().query("UPDATE conversations SET length = 200 WHERE task_id = $1 AND other_id = $2", [
    at.taskId,
    at.other,
  ]);
  await refused(provider, "conversation_messages");

  const { taskId: asked } = await taskAt("open", { requester, provider });
  const askers = await Promise.all(Array.from({ length: 22 }, () => verifiedAgent()));
  const questions = await Promise.all(askers.map((asker) => write(asker, asked, "Who else asks?")));
  assert.equal(questions.filter(({ status }) => status === 201).length, 20);
  await refused(rival, "conversations", asked);
  const [known] = askers.filter((_, index) => questions[index]?.status === 201);
  assert.equal(known && outcome(await write(known, asked, "A second one.")), "201");

  const busy = await verifiedAgent();
  const tasks = await Promise.all(Array.from({ length: 22 }, () => taskAt("open", { requester, provider })));
  const [last] = tasks.splice(21);
  for (const { taskId: each } of tasks) await wrote(busy, each, ["One", "Two", "Three"].slice(0, tasks.length));
  await refused(busy, "hourly_messages", last?.taskId);
  await pool().query("UPDATE messages SET created_at = created_at - interval '1 hour' WHERE from_id = $1", [
    busy.publicId,
  ]);
  assert.equal(outcome(await write(busy, last?.taskId ?? "", "An hour later.")), "201");
});

test("a message that is sent again is sent once, and a body that cannot be sent is refused by name", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  const more = { client_request_id: newId("req") };
  const answers = await Promise.all([1, 2, 3].map(() => write(provider, taskId, "Once.", more)));
  assert.deepEqual(answers.map(outcome), ["201", "201", "201"]);
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body.message))).size, 1);
  assert.equal(outcome(await write(provider, taskId, "Twice.", more)), "409 request_id_conflict");
  for (const body of ["", " ", "x".repeat(4_001), "a\u0000b", `My token is ${provider.token}.`]) {
    const { status, error } = await write(provider, taskId, body);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, "body"], JSON.stringify(body.slice(0, 20)));
  }
  assert.deepEqual(bodies(await read(requester, taskId)), ["Once."]);
});

test("what a suspended sender wrote stays with its recipient", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider: rival });
  await write(rival, taskId, "Before.");
  const leaving = await verifiedAgent();
  const { taskId: open } = await taskAt("open", { requester, provider });
  await write(leaving, open, "Before.");
  await suspendIdentity(commandLineContext("root"), { publicId: leaving.publicId, reason: "A test." });
  assert.equal(outcome(await write(leaving, open, "After.")), "403 identity_suspended");
  assert.deepEqual(bodies(await read(requester, open)), ["Before."]);
});

test("a poller sees every message once and in order, while sixteen identities write", async () => {
  const { taskId } = await taskAt("open", { requester, provider });
  const askers = await Promise.all(Array.from({ length: 16 }, () => verifiedAgent()));
  let writing = true;
  const seen: number[] = [];
  const poller = (async () => {
    for (let next = 0, last = false; !last; ) {
      last = !writing;
      const { body } = await read(requester, taskId, { after: String(next), limit: "5" });
      seen.push(...body.messages.map(({ seq }) => seq));
      if (body.messages.length > 0) last = false;
      next = body.next_after;
    }
  })();
  const sent = await Promise.all(askers.map((asker) => wrote(asker, taskId, ["One", "Two", "Three"])));
  writing = false;
  await poller;
  assert.deepEqual(sent.flat(), Array(48).fill("201"));
  assert.deepEqual(
    seen,
    Array.from({ length: 48 }, (_, index) => index + 1),
  );
});

test("lists say when the caller's last message was sent and how many it has not read", async () => {
  const task = { provider_public_id: provider.publicId };
  const { taskId } = await taskAt("open", { requester, provider }, { task });
  const listed = async (agent: TestAgent, list: "mine" | "inbox") => {
    const { body } = await callAs<{ tasks: TaskWire[] }>(agent, "GET", `/api/v1/jobs/${list}.php`);
    const found = body.tasks.find((each) => each.task_id === taskId);
    return [found?.last_message_at, found?.unread_messages];
  };
  assert.deepEqual(await listed(provider, "inbox"), [null, 0]);
  const { at } = (await write(requester, taskId, "Are you free?")).body.message;
  assert.deepEqual(
    [await listed(provider, "inbox"), await listed(requester, "mine")],
    [
      [at, 1],
      [at, 0],
    ],
  );
  await read(provider, taskId, { limit: "0" });
  assert.deepEqual(await listed(provider, "inbox"), [at, 1]);
  await read(provider, taskId);
  assert.deepEqual(await listed(provider, "inbox"), [at, 0]);
  const answered = (await write(provider, taskId, "I am.")).body.message.at;
  assert.deepEqual(await listed(requester, "mine"), [answered, 1]);
  assert.equal((await show(requester, taskId)).last_message_at, undefined);
  await read(requester, taskId);
  assert.deepEqual(await listed(requester, "mine"), [answered, 0]);
});

test("clarifications are for everyone who may read the brief, only while the task is open", async () => {
  const work = await taskAt("open", { requester, provider });
  const { taskId } = work;
  const { status, body } = await clarify(requester, taskId, "The text is in English.");
  assert.equal(status, 201);
  assert.deepEqual(
    body.task.clarifications?.map(({ text }) => text),
    ["The text is in English."],
  );
  await changesNothing("the same text again", () => clarify(requester, taskId, "The text is in English."));
  const shown = await show(rival, taskId);
  assert.deepEqual([shown.clarifications, shown.version], [body.task.clarifications, body.task.version]);
  assert.equal((await show(await registerAgent(), taskId)).clarifications, undefined);
  assert.equal(outcome(await clarify(provider, taskId, "No.")), "403 forbidden");
  for (let n = 2; n <= 20; n += 1) assert.equal((await clarify(requester, taskId, `Fact ${n}`)).status, 201);
  const { error } = await clarify(requester, taskId, "Fact 21");
  assert.deepEqual([error?.code, error?.reason], ["quota_exceeded", "clarifications"]);
  assert.ok((await show(requester, taskId)).available_actions.every(({ action }) => action !== "clarify"));
  await did(provider, "claim", work);
  assert.equal(outcome(await clarify(requester, taskId, "Too late.")), "409 state_conflict");
  assert.equal((await show(provider, taskId)).clarifications?.length, 20);
  assert.equal((await show(rival, taskId)).clarifications, undefined);
  const { taskId: expired } = await taskAt("expired", { requester, provider });
  assert.equal(outcome(await clarify(requester, expired, "Too late.")), "410 task_expired");
});
