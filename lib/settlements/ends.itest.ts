import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { completeFor } from "#lib/admin/complete.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { lapseClaims } from "#lib/tasks/lapse.ts";
import { STEPS, type StepName, type TaskState } from "#lib/tasks/machine.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";
import { step, type Verb } from "#testing/requests.ts";
import { passTime, perform, storedState, taskAt, type Work } from "#testing/workflow.ts";

// Everything that can end a part of a deal, at the same moment and from several processes. `END_ROUNDS` and `END_PROCESSES` set how often, half as
// often with kills, and from how many.
const ROUNDS = Number(process.env.END_ROUNDS ?? 2);
const PROCESSES = Number(process.env.END_PROCESSES ?? 2);

let requester: TestAgent;
let provider: TestAgent;
const processes: ApiProcess[] = [];
testService({}, async () => {
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  for (let index = 0; index < PROCESSES; index += 1) processes.push(await startApiProcess({ RATE_LIMIT_SCALE: "0" }));
  return () => Promise.all(processes.map((each) => each.kill()));
});

type Try = [by: "requester" | "provider", verb: Verb];
type Scene = {
  from: TaskState;
  /** What the parties try, each at every process. */
  tries: Try[];
  /** What the service or an administrator tries in this process. */
  others: ((work: Work) => Promise<unknown>)[];
  /** The steps of which exactly one may be recorded. */
  ends: StepName[];
};

const OVERDUE = { due_at: new Date(Date.now() - 5 * 86_400_000).toISOString() };
const byAdministrator = ({ taskId }: Work) => completeFor(admin, { taskId, reason });
/** Resolves the dispute that one of the parties opens meanwhile, with a refund; the task is then annulled. */
const byResolution = async ({ taskId }: Work) => {
  for (let look = 0; look < 20; look += 1) {
    const { rows } = await pool().query("SELECT id FROM disputes WHERE task_id = $1 AND state = 'open'", [taskId]);
    if (rows[0]) return resolveDispute(admin, { disputeId: rows[0].id, resolution: "requester", refund: true, reason });
    await delay(10);
  }
};
const byClock = () => lapseClaims({ ...admin, actor: { kind: "system", id: "worker" } });

const SCENES: Record<string, Scene> = {
  "a claim that has run out": {
    from: "proposed",
    tries: [
      ["provider", "accept"],
      ["requester", "dismiss"],
      ["requester", "decline"],
      ["requester", "cancel"],
      ["provider", "dispute"],
    ],
    others: [byClock, byClock, byAdministrator],
    // The requester may cancel what is open again.
    ends: ["lapse"],
  },
  "overdue work": {
    from: "in_progress",
    tries: [
      ["provider", "submit"],
      ["provider", "give_up"],
      ["requester", "leave"],
      ["requester", "dispute"],
    ],
    others: [byAdministrator, byResolution],
    ends: ["submit", "leave", "give_up"],
  },
  "a result that nobody reviewed": {
    from: "submitted",
    tries: [
      ["provider", "conclude"],
      ["requester", "request_changes"],
      ["requester", "complete"],
      ["provider", "dispute"],
    ],
    others: [byAdministrator, byResolution],
    ends: ["conclude", "request_changes", "complete"],
  },
};

async function ready({ from }: Scene): Promise<Work> {
  const work = await taskAt(from, { requester, provider }, { terms: OVERDUE });
  if (from === "proposed") await perform(requester, "accept", work);
  if (from !== "in_progress") await passTime(work.taskId, 31);
  return work;
}

/** What is recorded of the task after it was made ready. */
async function recorded({ taskId }: Work, since: number) {
  const { rows } = await pool().query<{ action: string; to: TaskState | null }>(
    "SELECT action, data ->> 'to' AS to FROM audit_events WHERE subject_id = $1 AND seq > $2 ORDER BY seq",
    [taskId, since],
  );
  return rows;
}

const lastSeq = async () =>
  Number((await pool().query("SELECT coalesce(max(seq), 0) AS seq FROM audit_events")).rows[0].seq);

/** Settlement, books and log of a task, all of which must say what its state says. */
async function assertAgreed({ taskId }: Work, last: string | undefined): Promise<void> {
  const state = await storedState(taskId);
  const { rows: settlements } = await pool().query(
    `SELECT s.state, s.refunded_pence AS refunded, (SELECT coalesce(sum(e.amount_pence), 0)::int FROM ledger_transactions t
       JOIN ledger_entries e ON e.transaction_id = t.id WHERE t.settlement_id = s.id) AS total,
       ARRAY(SELECT t.kind::text FROM ledger_transactions t WHERE t.settlement_id = s.id ORDER BY t.kind) AS kinds
     FROM settlements s WHERE s.task_id = $1`,
    [taskId],
  );
  const expected = {
    completed: ["approved", 0, ["approval", "funding", "transfer"]],
    cancelled: ["void", 500, ["funding", "refund", "void"]],
  }[state as string] ?? ["recorded", 0, ["funding"]];
  for (const { state: is, refunded, total, kinds } of settlements)
    assert.deepEqual([is, refunded, [...kinds].sort(), total], [...expected, 0], `${state} after ${last}`);
  const { rows: statements } = await pool().query<{ n: number; event: string }>(
    `SELECT n, statement::jsonb ->> 'event' AS event FROM log_statements WHERE chain = $1 ORDER BY n`,
    [taskId],
  );
  assert.deepEqual(
    statements.map(({ n }) => Number(n)),
    statements.map((_, index) => index + 1),
  );
  const steps = statements.filter(({ event }) => event.startsWith("task."));
  const { rows: audited } = await pool().query(
    "SELECT type FROM audit_events WHERE task_id = $1 AND type LIKE 'task.%' ORDER BY seq",
    [taskId],
  );
  assert.deepEqual(
    steps.map(({ event }) => event),
    audited.map(({ type }) => type),
  );
}

/** Tries everything at once, in each round in another order; `undefined` for calls that nobody answered. */
async function tryAll({ tries, others }: Scene, work: Work, urls: string[], round: number) {
  const turned = [...tries.slice(round % tries.length), ...tries.slice(0, round % tries.length)];
  const calls = urls.flatMap((url) =>
    turned.map(async ([by, verb]) => {
      const { token, publicId } = work[by];
      const { path, fields, headers } = step(verb, work);
      const sent = { token, fields: { public_id: publicId, ...fields }, headers };
      const answer = await request(url, "POST", path, sent).catch(() => undefined);
      return { verb, ok: answer && answer.status < 300 };
    }),
  );
  // In this process, which needs no connection, they would nearly always come first.
  if (round % 4 > 0) await delay(round % 4);
  const acts = others.map((other) => other(work).catch(() => undefined));
  const answers = await Promise.all(calls);
  await Promise.all(acts);
  return answers;
}

async function assertOneEnd(scene: Scene, work: Work, since: number): Promise<string | undefined> {
  const all = await recorded(work, since);
  const ends = all.filter(({ action }) => (scene.ends as string[]).includes(action));
  assert.ok(ends.length <= 1, `${work.taskId}: ${JSON.stringify(all)}`);
  const disputed = all.some(({ action }) => action === "dispute");
  assert.ok(ends.length === 1 || disputed, `${work.taskId}: nothing won`);
  const [end] = ends;
  if (end) assert.equal(end.to, STEPS[end.action as StepName].to);
  // A dispute refuses every end; one that comes later finds the task still under way.
  if (end && disputed) assert.ok(["submit", "request_changes"].includes(end.action), JSON.stringify(all));
  const last = all.findLast(({ to }) => to !== null);
  if (last) assert.equal(await storedState(work.taskId), last.to);
  await assertAgreed(work, end?.action);
  return end?.action;
}

for (const [name, scene] of Object.entries(SCENES)) {
  test(`of everything that can end ${name}, one step wins, whoever tries at the same moment`, async (t) => {
    const won = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const work = await ready(scene);
      const since = await lastSeq();
      const answers = await tryAll(
        scene,
        work,
        processes.map(({ url }) => url),
        round,
      );
      const end = await assertOneEnd(scene, work, since);
      won.set(end ?? "dispute", (won.get(end ?? "dispute") ?? 0) + 1);
      // Who was told of a success is who is recorded.
      for (const { verb, ok } of answers)
        if (ok && (scene.ends as string[]).includes(verb)) assert.equal(verb, end, `round ${round}`);
    }
    t.diagnostic(`${ROUNDS} rounds from ${PROCESSES} processes: ${[...won].map((each) => each.join(" ")).join(", ")}`);
  });

  test(`of everything that can end ${name}, one step wins and is whole, although processes are killed meanwhile`, async () => {
    for (let round = 0; round < ROUNDS / 2; round += 1) {
      const work = await ready(scene);
      const since = await lastSeq();
      const index = round % PROCESSES;
      const victim = processes[index] as ApiProcess;
      const tried = tryAll({ ...scene, others: [] }, work, [victim.url, victim.url], round);
      await delay(round % 12);
      await victim.kill();
      await tried;
      // What was half done is not there, and the rest can be done.
      await assertAgreed(work, "kill -9");
      processes[index] = await startApiProcess({ RATE_LIMIT_SCALE: "0" });
      await tryAll(
        scene,
        work,
        processes.map(({ url }) => url),
        round,
      );
      await assertOneEnd(scene, work, since);
    }
  });
}
