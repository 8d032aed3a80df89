import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { isPooled, pool } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import { callAs, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { workerContext } from "#testing/live.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { expire, perform, postTask, readTask, storedState, taskAt } from "#testing/workflow.ts";
import { expireDueTasks } from "./advance.ts";
import { TASK_STATES } from "./machine.ts";
import type { TaskWire } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await verifiedAgent();
  provider = await verifiedAgent();
});

type Tasks = { tasks: TaskWire[] };
const worker = workerContext();

async function views(taskId: string) {
  const find = ({ body }: { body: Tasks }) => body.tasks.find(({ task_id }) => task_id === taskId)?.state;
  const listed = (state: string) => call<Tasks>("GET", "/api/v1/jobs/list.php", { query: { state, limit: 100 } });
  const mine = (state: string) => callAs<Tasks>(requester, "GET", "/api/v1/jobs/mine.php", { state, limit: 100 });
  return {
    show: (await readTask(taskId)).state,
    inbox: find(await callAs<Tasks>(provider, "GET", "/api/v1/jobs/inbox.php", { limit: 100 })),
    openInList: find(await listed("open")),
    expiredInList: find(await listed("expired")),
    openInMine: find(await mine("open")),
    expiredInMine: find(await mine("expired")),
  };
}

const GONE = {
  show: "expired",
  inbox: undefined,
  openInList: undefined,
  expiredInList: "expired",
  openInMine: undefined,
  expiredInMine: "expired",
};

test("an expired task is expired for every reader, before and after the sweep, and cannot be claimed", async () => {
  const task = { provider_public_id: provider.publicId };
  const work = await taskAt("open", { requester, provider }, { task });
  const { taskId } = work;
  assert.deepEqual(await views(taskId), {
    show: "open",
    inbox: "open",
    openInList: "open",
    expiredInList: undefined,
    openInMine: "open",
    expiredInMine: undefined,
  });
  await expire(taskId);
  for (const stored of ["open", "expired"]) {
    assert.equal(await storedState(taskId), stored);
    assert.deepEqual(await views(taskId), GONE);
    await changesNothing("a step on an expired task", async () => {
      assert.equal((await perform(provider, "claim", work)).error?.code, "task_expired");
      assert.equal((await perform(requester, "cancel", work)).error?.code, "task_expired");
    });
    await expireDueTasks(worker);
  }
});

test("a task that lives for one second is open and then expired, without the sweep", async () => {
  const task = await postTask(requester, { expires_in_seconds: 1, provider_public_id: provider.publicId });
  assert.equal(task.state, "open");
  while (Date.now() <= Date.parse(task.expires_at)) await delay(50);
  assert.deepEqual(await views(task.task_id), GONE);
});

test("the sweep records exactly the tasks that have expired, once each", async () => {
  const due = await Promise.all(Array.from({ length: 30 }, async () => (await postTask(requester)).task_id));
  const others = await Promise.all(TASK_STATES.map((state) => taskAt(state, { requester, provider })));
  await expireDueTasks(worker);
  const before = await Promise.all(others.map(({ taskId }) => storedState(taskId)));
  for (const { taskId } of others.filter((_, index) => TASK_STATES[index] !== "open")) await expire(taskId);
  await Promise.all(due.map(expire));

  const counts = await Promise.all([expireDueTasks(worker), expireDueTasks(worker), expireDueTasks(worker)]);
  assert.equal(counts.reduce((sum, count) => sum + count, 0) + (await expireDueTasks(worker)), 30);
  assert.deepEqual(await Promise.all(others.map(({ taskId }) => storedState(taskId))), before);
  const { rows } = await pool().query(
    "SELECT DISTINCT actor_kind, actor_id, count(*)::int AS count FROM audit_events WHERE action = 'expire' AND subject_id = ANY ($1) GROUP BY subject_id, 1, 2",
    [due],
  );
  assert.deepEqual(rows, [{ actor_kind: "system", actor_id: "worker", count: 1 }]);
  await changesNothing("a sweep with nothing to do", async () => assert.equal(await expireDueTasks(worker), 0));
});

/** Copies of a task whose time is over. */
async function plantDue(taskId: string, copies: number, prefix: string): Promise<void> {
  await pool().query(
    `INSERT INTO tasks (id, requester_id, title, brief, summary, budget_pence, visibility, payment_mode, client_request_id, created_at, updated_at, expires_at)
     SELECT 'tsk_' || left(translate(md5($3 || n), '0', 'z'), 22), requester_id, title, brief, summary, budget_pence, visibility, payment_mode,
       $3 || n, created_at, updated_at, created_at
     FROM tasks, generate_series(1, $2::int) AS n WHERE id = $1`,
    [taskId, copies, prefix],
  );
}

test("one sweep expires more tasks than one batch", async () => {
  const { taskId } = await taskAt("open", { requester, provider });
  const copies = 2_500;
  await plantDue(taskId, copies, "copy-");
  assert.equal(await expireDueTasks(worker), copies);
  assert.equal(await storedState(taskId), "open");
});

test("the sweep prepares the same statements, however many tasks are due", async () => {
  const { taskId } = await taskAt("open", { requester, provider });
  const names = await preparedBy(async () => {
    for (const copies of [0, 1, 2, 3, 7]) {
      await plantDue(taskId, copies, `sweep-${copies}-`);
      assert.equal(await expireDueTasks(worker), copies);
    }
  });
  // A transaction pooler must not be left with a statement.
  assert.deepEqual(
    [...names].map((name) => String(name).replace(/\.[0-9a-f]{8}$/, "")),
    isPooled() ? [] : ["task.expire", "audit.record"],
  );
});

/** The names under which `work` has statements prepared, whether through `statement` or through Prisma. */
async function preparedBy(work: () => Promise<void>): Promise<Set<unknown>> {
  const names = new Set<unknown>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [sent] = args;
    if (typeof sent === "object" && sent !== null && "name" in sent && sent.name) names.add(sent.name);
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return names;
}

test("a claimed task does not expire, and one that is released after its expiry time does", async () => {
  const work = await taskAt("claimed", { requester, provider });
  await expire(work.taskId);
  assert.equal((await readTask(work.taskId)).state, "claimed");
  const { body } = await perform(provider, "release", work);
  assert.equal(body.task?.state, "expired");
  assert.equal((await perform(provider, "claim", work)).error?.code, "task_expired");
});
