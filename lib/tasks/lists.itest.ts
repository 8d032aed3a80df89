import assert from "node:assert/strict";
import { test } from "node:test";
import { setQuota } from "#lib/admin/restrictions.ts";
import { pool } from "#lib/db/client.ts";
import { encodeCursor } from "#lib/kernel/cursor.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { admin } from "#testing/administrator.ts";
import { type Answer, call, outcome, testService } from "#testing/client.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { statementsOf } from "#testing/plans.ts";
import { did, expire, perform, postTask, readTask, taskAt } from "#testing/workflow.ts";
import { TASK_STATES } from "./machine.ts";
import type { TaskWire } from "./schema.ts";

const MANY = 130;
let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await verifiedAgent();
  await setQuota(admin, { publicId: requester.publicId, quota: "tasks", limit: 10_000, reason: "Long lists." });
  provider = await verifiedAgent({ skills: ["count"] });
});

type Page = { tasks: TaskWire[]; next_cursor: string | null };
let postedLast = false;
type Read = (query: Record<string, unknown>) => Promise<Answer<Page>>;

/** Every list of tasks, with what puts a task into it. */
const LISTS: Record<string, { read: Read; add(): Promise<string> }> = {
  "jobs/list": {
    read: (query) => call("GET", "/api/v1/jobs/list.php", { query: query as Record<string, string> }),
    add: async () => (await postTask(requester)).task_id,
  },
  "jobs/mine of a requester": {
    read: (query) => callAs(requester, "GET", "/api/v1/jobs/mine.php", { role: "requester", ...query }),
    add: async () => (await postTask(requester)).task_id,
  },
  "jobs/mine of a provider": {
    read: (query) => callAs(provider, "GET", "/api/v1/jobs/mine.php", { role: "provider", ...query }),
    add: async () => (await taskAt("claimed", { requester, provider })).taskId,
  },
  "jobs/mine of either role": {
    read: (query) => callAs(provider, "GET", "/api/v1/jobs/mine.php", query),
    add: async () => {
      postedLast = !postedLast;
      if (postedLast) return (await postTask(provider)).task_id;
      return (await taskAt("claimed", { requester, provider })).taskId;
    },
  },
  "jobs/inbox": {
    read: (query) => callAs(provider, "GET", "/api/v1/jobs/inbox.php", query),
    add: async () => (await postTask(requester, { provider_public_id: provider.publicId })).task_id,
  },
};

const ids = (answer: Answer<Page>) => answer.body.tasks.map(({ task_id }) => task_id);

/** Reads from the newest to the end; `between` runs after every page. */
async function readAll(
  read: Read,
  query: Record<string, unknown>,
  between: () => Promise<unknown> = async () => undefined,
) {
  const found: string[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await read({ ...query, ...(cursor ? { cursor } : {}) });
    assert.equal(page.status, 200);
    found.push(...ids(page));
    cursor = page.body.next_cursor;
    await between();
  } while (cursor);
  return found;
}

for (const [name, { read, add }] of Object.entries(LISTS)) {
  test(`${name} is read newest first, without gap or repetition, while new entries come in`, async () => {
    const made: string[] = [];
    for (let n = 0; n < 17; n += 1) made.unshift(await add());
    for (const limit of [1, 5, 16, 17, 100]) {
      const found = await readAll(read, { limit }, add);
      assert.equal(new Set(found).size, found.length);
      assert.deepEqual(
        found.filter((id) => made.includes(id)),
        made,
        `limit ${limit}`,
      );
    }
  });
}

for (const name of ["jobs/list", "jobs/mine of a requester", "jobs/inbox"]) {
  const { read, add } = LISTS[name] as (typeof LISTS)[string];
  test(`${name} gives twenty entries unless it is asked for more or fewer, and never more than a hundred`, async () => {
    await Promise.all(Array.from({ length: MANY }, add));
    for (const [limit, count] of [
      [undefined, 20],
      [1, 1],
      [20, 20],
      [100, 100],
      [101, 100],
      [1_000, 100],
      ["9".repeat(30), 100],
    ])
      assert.equal(ids(await read(limit === undefined ? {} : { limit })).length, count, `limit ${limit}`);
    assert.equal((await readAll(read, { limit: 1_000 })).length, (await readAll(read, { limit: 3 })).length);
  });

  test(`${name} returns an empty page for a limit of 0, with an unchanged position`, async () => {
    assert.deepEqual((await read({ limit: 0 })).body.tasks, []);
    const { next_cursor: cursor } = (await read({ limit: 5 })).body;
    const empty = await read({ limit: 0, cursor });
    assert.deepEqual([empty.body.tasks, empty.body.next_cursor], [[], cursor]);
    assert.deepEqual(
      ids(await read({ limit: 5, cursor: empty.body.next_cursor })),
      ids(await read({ limit: 5, cursor })),
    );
  });

  test(`${name} refuses limits and cursors that it did not give`, async () => {
    for (const query of [
      { limit: "-1" },
      { limit: "1.5" },
      { limit: "" },
      { limit: "ten" },
      { cursor: "" },
      { cursor: "5" },
      { cursor: "null" },
      { cursor: `${encodeCursor(5n)}=` },
      { cursor: "' OR 1=1" },
    ])
      assert.equal((await read(query)).error?.code, "invalid_input", JSON.stringify(query));
  });
}

test("each filter, and all of them together, narrow the public list", async () => {
  const wanted = (await postTask(requester, { title: "Quokka census", skill: "count", budget_pence: 5 })).task_id;
  await postTask(requester, { title: "Quokka portrait", skill: "paint" });
  await postTask(requester, { title: "Wombat census", skill: "count" });
  const find = async (query: Record<string, unknown>) =>
    readAll(LISTS["jobs/list"]?.read as Read, { limit: 100, ...query });
  assert.equal((await find({ q: "quokka" })).length, 2);
  assert.deepEqual(await find({ q: "quokka census" }), [wanted]);
  assert.deepEqual(await find({ q: "quokkas", skill: "count" }), [wanted]);
  // Operators are words like any other: a search is for all of the words.
  assert.deepEqual(await find({ q: '"census quokka"' }), [wanted]);
  assert.deepEqual(await find({ q: "quokka -portrait" }), await find({ q: "quokka portrait" }));
  assert.deepEqual(await find({ q: "wombat or portrait" }), []);
  assert.deepEqual(await find({ q: "quokka", state: "completed" }), []);
  assert.deepEqual(await find({ q: "quokka", payment_mode: "LIVE" }), []);
  assert.equal((await find({ skill: "paint", state: "open", payment_mode: "TEST" })).length, 1);
  for (const q of ["the", "!!!", "&|:*", "'", "a:b", "\\", '"unclosed', "%", "<b>"]) await find({ q, skill: "paint" });
});

test("a search covers only what is public, and nothing else of the brief", async () => {
  const brief = `${"word ".repeat(100)} hippogriff`;
  await postTask(requester, { title: "Plain", brief });
  const { body } = await call<Page>("GET", "/api/v1/jobs/list.php", { query: { q: "hippogriff" } });
  assert.deepEqual(body.tasks, []);
});

test("the list can be filtered by every state", async () => {
  const works = new Map<string, string>();
  for (const state of TASK_STATES) works.set(state, (await taskAt(state, { requester, provider })).taskId);
  for (const [name, { read }] of Object.entries(LISTS).filter(([name]) => name !== "jobs/inbox")) {
    for (const state of TASK_STATES) {
      const { tasks } = (await read({ state, limit: 100 })).body;
      assert.ok(tasks.every((task) => task.state === state));
      const isThere =
        !name.includes("provider") && !name.includes("either") ? true : state !== "open" && state !== "expired";
      assert.equal(
        tasks.some(({ task_id }) => task_id === works.get(state)),
        isThere,
        `${name} ${state}`,
      );
    }
    assert.equal((await read({ state: "done" })).error?.code, "invalid_input");
  }
});

test("the inbox has exactly the open tasks for which the caller is selected", async () => {
  const inbox = async () => ids(await (LISTS["jobs/inbox"] as (typeof LISTS)[string]).read({ limit: 100 }));
  const selected = { provider_public_id: provider.publicId };
  const [claimed, cancelled, expired, released] = await Promise.all(
    [1, 2, 3, 4].map(() => taskAt("open", { requester, provider }, { task: selected })),
  );
  assert.ok(claimed && cancelled && expired && released);
  const all = [claimed, cancelled, expired, released].map(({ taskId }) => taskId);
  assert.deepEqual((await inbox()).filter((id) => all.includes(id)).sort(), [...all].sort());
  await perform(provider, "claim", claimed);
  await perform(requester, "cancel", cancelled);
  await expire(expired.taskId);
  await did(provider, "claim", released);
  await did(requester, "propose", released);
  await did(provider, "decline", released);
  await did(requester, "dispute", released);
  assert.deepEqual(
    (await inbox()).filter((id) => all.includes(id)),
    [],
  );
  await did(provider, "release", released);
  assert.deepEqual(
    (await inbox()).filter((id) => all.includes(id)),
    [released.taskId],
  );
  // Nothing is looked up of an agreement or a provider, which an open task does not have.
  const [entry] = (await callAs<Page>(provider, "GET", "/api/v1/jobs/inbox.php", { limit: 1 })).body.tasks;
  const { clarifications, requester_record: _, ...listed } = await readTask(released.taskId, provider);
  assert.deepEqual(clarifications, []);
  assert.deepEqual(entry, { ...listed, last_message_at: null, unread_messages: 0 });
});

test("an inbox costs two statements; callers who may not read it learn nothing else", async () => {
  const query = { public_id: provider.publicId };
  const poll = (token: string, more: object = {}) =>
    call("GET", "/api/v1/jobs/inbox.php", { token, query: { ...query, ...more } });
  const sent = await statementsOf(async () => void assert.equal((await poll(provider.token)).status, 200));
  assert.equal(sent.length, 2);
  const made = newSecret("ghm");
  for (const more of [{}, { limit: "none" }])
    assert.deepEqual(
      [outcome(await poll(made, more)), outcome(await poll(requester.token, more))],
      ["401 invalid_credential", "401 invalid_credential"],
    );
  assert.equal(outcome(await poll(provider.token, { limit: "none" })), "422 invalid_input");
  await pool().query("UPDATE identities SET state = 'suspended' WHERE id = $1", [provider.publicId]);
  assert.equal(outcome(await poll(provider.token)), "403 identity_suspended");
});
