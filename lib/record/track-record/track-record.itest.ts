import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { pool } from "#lib/db/client.ts";
import { withClient } from "#lib/db/with-client.ts";
import { lapseClaims } from "#lib/tasks/lapse.ts";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, forFile } from "#testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { signed, startSignedLog } from "#testing/log/signed-log.ts";
import { explain, statementsOf } from "#testing/plans.ts";
import { did, passTime, taskAt, type Work } from "#testing/workflow.ts";
import type { Evidence } from "../evidence/schema.ts";
import type { FiguresWire, TrackRecordWire } from "./schema.ts";
import { readWorkSummaries } from "./summaries.ts";

let requester: TestAgent;
let provider: TestAgent;
let others: [TestAgent, TestAgent];
const log = forFile(startSignedLog, async () => {
  ({ requester, provider } = log);
  others = [await verifiedAgent(), await verifiedAgent()];
  return undefined;
});

async function recordOf(publicId: string): Promise<TrackRecordWire> {
  const query = { public_id: publicId };
  return (await call<{ record: TrackRecordWire }>("GET", "/api/v1/agents/record.php", { query })).body.record;
}

/** Every task that a path of the record leads to, page by page. */
async function tasksOf(path: string, filters: Record<string, string> = {}): Promise<TaskSummaryWire[]> {
  const found: TaskSummaryWire[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const [where = "", search] = path.split("?");
    const query = {
      ...Object.fromEntries(new URLSearchParams(search)),
      ...filters,
      limit: "3",
      ...(cursor ? { cursor } : {}),
    };
    const { body } = await call<{ tasks: TaskSummaryWire[]; next_cursor: string | null }>("GET", where, { query });
    found.push(...body.tasks);
    cursor = body.next_cursor;
  }
  return found;
}

const ENDINGS = ["lapsed", "dismissed", "left_overdue", "given_up"] as const;
type Ending = (typeof ENDINGS)[number];
const endingsOf = (figures: FiguresWire) => ENDINGS.map((ending) => figures[ending]);

type Statement = { event: string; at: string; facts: Record<string, unknown> };

/** The figures as anyone can compute them from the evidence of these tasks, which visitors may read. */
async function recomputed(
  tasks: TaskSummaryWire[],
  side: "requester" | "provider",
): Promise<Omit<FiguresWire, "tasks" | Ending>> {
  const figures = { settled: 0, completed: 0, cancelled: 0 };
  const disputes = { total: 0, resolved_for_provider: 0, resolved_for_requester: 0, split: 0, open: 0 };
  const times: number[] = [];
  const counterparties = new Set<unknown>();
  for (const { task_id } of tasks) {
    const { body } = await call<Evidence>("GET", "/api/v1/jobs/evidence.php", { query: { task_id } });
    const said = body.statements as unknown as Statement[];
    const all = (event: string) => said.filter((each) => each.event === event);
    figures.settled += 1;
    if (said.findLast(({ event }) => event.startsWith("settlement."))?.event === "settlement.approved")
      figures.completed += 1;
    else figures.cancelled += 1;
    const other =
      side === "provider" ? all("task.created")[0]?.facts.requester : all("task.claimed").at(-1)?.facts.provider;
    counterparties.add(other);
    const [start, submitted] = [all("task.started")[0], all("task.submitted")[0]];
    if (start && submitted) times.push(Date.parse(submitted.at) - Date.parse(start.at));
    const resolved = all("dispute.resolved").map(({ facts }) => facts.resolution);
    disputes.total += all("dispute.opened").length;
    disputes.open += all("dispute.opened").length - resolved.length;
    disputes.resolved_for_provider += resolved.filter((each) => each === "provider").length;
    disputes.resolved_for_requester += resolved.filter((each) => each === "requester").length;
    disputes.split += resolved.filter((each) => each === "split").length;
  }
  times.sort((a, b) => a - b);
  const middle = times.length / 2;
  const median = ((times[Math.ceil(middle) - 1] ?? 0) + (times[Math.floor(middle)] ?? 0)) / 2;
  return {
    ...figures,
    disputes,
    median_seconds_to_submit: times.length === 0 ? null : Math.floor(median / 1_000),
    counterparties: counterparties.size,
  };
}

async function disputed(
  resolution: "provider" | "requester" | "split",
  parties = { requester, provider },
): Promise<Work> {
  const work = await taskAt("submitted", parties);
  const { dispute } = await did(parties.requester, "dispute", work);
  const split = resolution === "split" ? { providerPence: 100 } : {};
  await resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution, reason, ...split });
  if (resolution === "provider") await did(parties.requester, "complete", work);
  return work;
}

test("every figure equals a recomputation from the evidence of the tasks behind it, and names its checkpoint", async () => {
  const [second, third] = others;
  for (const parties of [
    { requester, provider },
    { requester: second, provider },
    { requester: provider, provider: third },
  ]) {
    await taskAt("completed", parties);
    await taskAt("cancelled", parties);
  }
  for (const resolution of ["provider", "requester", "split"] as const) await disputed(resolution);
  const again = await taskAt("submitted", { requester, provider }, { amountPence: 0 });
  await did(requester, "request_changes", again);
  await did(provider, "submit", again);
  await did(requester, "complete", again);
  // Neither of these is settled: one was never accepted, and one is still in work.
  await taskAt("claimed", { requester, provider });
  await taskAt("in_progress", { requester, provider });
  await signed();

  const track = await recordOf(provider.publicId);
  assert.deepEqual(track.provider.TEST.settled, 8);
  assert.deepEqual([track.provider.TEST.completed, track.provider.TEST.cancelled], [5, 3]);
  assert.deepEqual(track.provider.TEST.disputes, {
    total: 3,
    resolved_for_provider: 1,
    resolved_for_requester: 1,
    split: 1,
    open: 0,
  });
  assert.deepEqual(
    [track.provider.TEST.counterparties, track.requester.TEST.settled, track.provider.LIVE.settled],
    [2, 2, 0],
  );
  for (const agent of [requester, provider, second, third]) {
    const facts = await recordOf(agent.publicId);
    for (const role of ["provider", "requester"] as const) {
      for (const mode of ["TEST", "LIVE"] as const) {
        const { tasks, lapsed, dismissed, left_overdue, given_up, ...figures } = facts[role][mode];
        assert.deepEqual([lapsed, dismissed, left_overdue, given_up], [0, 0, 0, 0]);
        assert.deepEqual(figures, await recomputed(await tasksOf(tasks), role));
        assert.equal((await tasksOf(tasks, { outcome: "completed" })).length, figures.completed);
        assert.equal((await tasksOf(tasks, { outcome: "cancelled" })).length, figures.cancelled);
        assert.equal((await tasksOf(tasks, { dispute: "any" })).length, figures.disputes.total);
        assert.equal((await tasksOf(tasks, { dispute: "split" })).length, figures.disputes.split);
        assert.equal((await tasksOf(tasks, { dispute: "open" })).length, 0);
      }
    }
  }
  // Lists say the same in short.
  const summaries = await readWorkSummaries([provider.publicId, requester.publicId]);
  const { completed, median_seconds_to_submit: seconds } = track.provider.TEST;
  const short = summaries.get(provider.publicId);
  assert.deepEqual([short?.mode, short?.completed], ["TEST", completed]);
  assert.equal(Math.floor((short?.medianHours ?? 0) * 3_600), seconds);
  assert.equal(summaries.has(requester.publicId), false);
  const { rows } = await pool().query("SELECT note FROM log_checkpoints");
  const [origin, size, root_hash] = rows[0].note.split("\n");
  assert.deepEqual(track.checkpoint, { origin, size: Number(size), root_hash });
});

test("claims and work that end without a result count apart, each with the tasks behind it, and not against who was stopped", async () => {
  const [asks, works] = [await verifiedAgent(), await verifiedAgent()];
  const parties = { requester: asks, provider: works };
  const free = { amountPence: 0 };
  const lapse = async (state: "claimed" | "proposed", options: object = free) => {
    const work = await taskAt(state, parties, { ...free, ...options });
    if (state === "proposed") await did(asks, "accept", work);
    await passTime(work.taskId, 4);
    await lapseClaims(admin);
    return work;
  };
  await lapse("claimed");
  const twice = await lapse("proposed");
  await did(works, "claim", twice);
  await did(asks, "propose", twice);
  await did(asks, "accept", twice);
  await passTime(twice.taskId, 4);
  await lapseClaims(admin);
  await lapse("claimed", { task: { visibility: "unlisted" } });
  await did(asks, "dismiss", await taskAt("claimed", parties, free));
  await did(works, "give_up", await taskAt("in_progress", parties));
  const overdue = await taskAt("accepted", parties, free);
  await passTime(overdue.taskId, 31);
  await did(asks, "leave", overdue);
  // What stopped the party that was waited for, until after the time, excuses it.
  for (const [subject, isExcused] of [
    [(work: Work) => work.taskId, true],
    [() => works.publicId, false],
    [() => asks.publicId, true],
  ] as const) {
    const work = await taskAt("claimed", parties, free);
    await hold(admin, { subjectId: subject(work), reason });
    await passTime(work.taskId, 4);
    await lapseClaims(admin);
    await unhold(admin, { subjectId: subject(work), reason });
    await lapseClaims(admin);
    const { body } = await call<Evidence>("GET", "/api/v1/jobs/evidence.php", { query: { task_id: work.taskId } });
    const { facts } = (body.statements as unknown as Statement[]).at(-1) ?? {};
    assert.deepEqual(facts, { awaited: "requester", ...(isExcused ? { stopped: true } : {}) });
  }
  await signed();
  const [asked, worked] = [
    (await recordOf(asks.publicId)).requester.TEST,
    (await recordOf(works.publicId)).provider.TEST,
  ];
  assert.deepEqual(endingsOf(asked), [2, 0, 0, 0]);
  assert.deepEqual(endingsOf(worked), [2, 1, 1, 1]);
  for (const [figures, ending, tasks] of [
    [asked, "lapsed", 2],
    // Both lapses are of one task.
    [worked, "lapsed", 1],
    [worked, "dismissed", 1],
    [worked, "left_overdue", 1],
    [worked, "given_up", 1],
  ] as const)
    assert.equal((await tasksOf(figures.tasks, { ending })).length, tasks, ending);
});

test("unlisted tasks change nothing, and a listed one counts once a checkpoint covers it", async () => {
  const before = await recordOf(provider.publicId);
  const unlisted = { task: { visibility: "unlisted" } };
  await taskAt("completed", { requester, provider }, unlisted);
  await taskAt("cancelled", { requester, provider }, unlisted);
  await signed();
  const { checkpoint, ...after } = await recordOf(provider.publicId);
  assert.deepEqual({ ...after, checkpoint: before.checkpoint }, before);
  assert.ok((checkpoint?.size ?? 0) > (before.checkpoint?.size ?? 0));

  await taskAt("completed", { requester, provider });
  assert.equal((await recordOf(provider.publicId)).provider.TEST.settled, 8);
  await signed();
  assert.equal((await recordOf(provider.publicId)).provider.TEST.settled, 9);
});

test("the record of an agent without a public profile is not found, and a new agent's is empty", async () => {
  const fresh = await verifiedAgent();
  const facts = await recordOf(fresh.publicId);
  assert.equal(facts.provider.TEST.median_seconds_to_submit, null);
  assert.equal(facts.requester.LIVE.settled, 0);
  const hidden = await registerAgent({ public_profile: false });
  for (const path of ["record", "record_tasks"]) {
    const query = { public_id: hidden.publicId, role: "provider", payment_mode: "TEST" };
    const { status, error } = await call("GET", `/api/v1/agents/${path}.php`, { query });
    assert.deepEqual([status, error?.code], [404, "not_found"]);
  }
});

test("a record reads its own agent's part of an index, however many tasks others have settled", async () => {
  const sent = await statementsOf(async () => void (await recordOf(provider.publicId)));
  const figures = sent.filter(({ text }) => text.includes("settled_tasks"));
  assert.equal(figures.length, 1);
  await withClient(log.ownerUrl, async (client) => {
    await client.query("BEGIN");
    await client.query(
      `ALTER TABLE settled_tasks DROP CONSTRAINT settled_tasks_task_id_fkey;
       INSERT INTO settled_tasks SELECT 'tsk_' || n, 1000 + n, 'agt_r' || n % 1000, 'agt_p' || n % 1000, 'TEST', true, n, 0, 0, 0, 0, 1, 0
       FROM generate_series(1, 50000) n; ANALYZE settled_tasks`,
    );
    for (const statement of figures) {
      const nodes = await explain(client, statement, "any");
      assert.deepEqual(
        nodes.flatMap(({ index }) => (index ? [index] : [])),
        [
          "unfinished_claims_identity_id_role_payment_mode_seq_idx",
          "settled_tasks_provider_id_payment_mode_seq_idx",
          "settled_tasks_requester_id_payment_mode_seq_idx",
        ],
      );
      assert.ok(!nodes.some(({ type, relation }) => type === "Seq Scan" && relation === "settled_tasks"));
    }
  });
});
