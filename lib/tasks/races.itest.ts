import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { admin } from "#testing/administrator.ts";
import { type Answer, testService } from "#testing/client.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { betweenLookAndAct } from "#testing/outside/blocked.ts";
import type { Verb } from "#testing/requests.ts";
import { perform, storedState, taskAt, type Work } from "#testing/workflow.ts";
import type { TaskState } from "./machine.ts";

// What ends a claim, work or a review at the same moment: lib/settlements/ends.itest.ts.

/** `RACE_ROUNDS` sets how often each race is run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 8);
let requester: TestAgent;
let provider: TestAgent;
let providers: TestAgent[];
testService({}, async () => {
  requester = await verifiedAgent();
  provider = await verifiedAgent();
  providers = await Promise.all(Array.from({ length: 20 }, () => verifiedAgent()));
});

const ok = (answers: Answer<unknown>[]) => answers.filter(({ error }) => !error).length;
const codes = (answers: Answer<unknown>[]) => answers.map(({ error }) => error?.code ?? "ok").sort();

/** How often each step was written into the record of a task. */
async function recorded(taskId: string): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ action: string; count: number }>(
    "SELECT action, count(*)::int FROM audit_events WHERE subject_id = $1 GROUP BY action",
    [taskId],
  );
  return Object.fromEntries(rows.map(({ action, count }) => [action, count]));
}

async function booksOf(taskId: string) {
  const { rows } = await pool().query(
    `SELECT s.state, s.funding, count(t.id)::int AS bookings, coalesce(sum(e.total), 0)::int AS total,
       (SELECT count(*)::int FROM payments p WHERE p.contract_id = s.contract_id AND p.status = 'pending') AS pending
     FROM settlements s LEFT JOIN ledger_transactions t ON t.settlement_id = s.id
       LEFT JOIN LATERAL (SELECT sum(amount_pence) AS total FROM ledger_entries WHERE transaction_id = t.id) e ON true
     WHERE s.task_id = $1 GROUP BY s.id`,
    [taskId],
  );
  assert.ok(rows.length <= 1);
  return rows[0];
}

/** Gives a task of its own to each round. */
async function rounds(count: number, state: TaskState, play: (work: Work, round: number) => Promise<void>) {
  for (let round = 0; round < count; round += 1) await play(await taskAt(state, { requester, provider }), round);
}

/** Runs two steps at the same moment, many times, in both orders of sending. */
function race(
  state: TaskState,
  one: [TestAgent, Verb],
  other: [TestAgent, Verb],
  check: (work: Work, answers: Answer<unknown>[], after: TaskState) => Promise<void> | void,
) {
  return rounds(ROUNDS, state, async (work, round) => {
    if (state === "proposed") await perform(requester, "accept", work);
    if (state === "accepted") await perform(requester, "fund", work);
    const steps = round % 2 ? [one, other] : [other, one];
    const answers = await Promise.all(steps.map(([agent, verb]) => perform(agent, verb, { ...work })));
    if (round % 2 === 0) answers.reverse();
    await check(work, answers, await storedState(work.taskId));
  });
}

test("of five hundred simultaneous claims one wins, the others get a conflict, and one is recorded", async () => {
  const work = await taskAt("open", { requester, provider });
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, index) => perform(providers[index % providers.length], "claim", { ...work })),
  );
  assert.deepEqual([ok(answers), codes(answers).filter((code) => code === "state_conflict").length], [1, 499]);
  assert.deepEqual(await recorded(work.taskId), { create: 1, claim: 1 });
  const winner = answers.find(({ error }) => !error)?.body.task?.parties.provider?.public_id;
  const { rows } = await pool().query("SELECT provider_id FROM tasks WHERE id = $1", [work.taskId]);
  assert.equal(rows[0].provider_id, winner);
});

test("a claim that has to wait decides again on what it waited for", async () => {
  const work = await taskAt("open", { requester, provider });
  const lock: [string, unknown[]] = ["SELECT FROM tasks WHERE id = $1 FOR NO KEY UPDATE", [work.taskId]];
  const claim = () => perform(provider, "claim", { ...work });
  const refused = await betweenLookAndAct(lock, claim, (query) =>
    query("UPDATE tasks SET held_at = now() WHERE id = $1", [work.taskId]),
  );
  assert.equal(refused.error?.gates?.find(({ passed }) => !passed)?.reason, "task_held");
  assert.deepEqual(await recorded(work.taskId), { create: 1 });

  await pool().query("UPDATE tasks SET held_at = NULL WHERE id = $1", [work.taskId]);
  // Such as the resolution of a dispute about a task that is open again: it changes nothing in the task's own row.
  const claimed = await betweenLookAndAct(lock, claim, (query) =>
    query(
      "INSERT INTO log_statements (event_seq, chain, n, hash, statement) VALUES (-1, $1, 2, sha256('resolved'), 'resolved')",
      [work.taskId],
    ),
  );
  assert.equal(claimed.body.task?.state, "claimed");
  const { rows } = await pool().query("SELECT n, statement FROM log_statements WHERE chain = $1 ORDER BY n", [
    work.taskId,
  ]);
  assert.equal(rows.length, 3);
  assert.equal(JSON.parse(rows[2].statement).prev, `sha256:${createHash("sha256").update("resolved").digest("hex")}`);
});

test("the second acceptance and a decline: one of them counts", () =>
  race("proposed", [provider, "accept"], [requester, "decline"], async (work, [accept, decline], state) => {
    assert.equal(ok([accept, decline] as Answer<unknown>[]), 1);
    assert.equal(state, accept?.error ? "claimed" : "accepted");
    assert.equal((await booksOf(work.taskId))?.state, accept?.error ? undefined : "recorded");
  }));

test("both parties accept at once: the agreement is concluded once, with one settlement", () =>
  rounds(ROUNDS, "proposed", async (work) => {
    const answers = await Promise.all(
      [requester, provider, requester, provider].map((agent) => perform(agent, "accept", { ...work })),
    );
    assert.equal(ok(answers), 4);
    assert.equal((await recorded(work.taskId)).accept, 1);
    assert.deepEqual([await storedState(work.taskId), (await booksOf(work.taskId)).state], ["accepted", "recorded"]);
  }));

test("a cancellation and a claim: one of them counts", () =>
  race("open", [requester, "cancel"], [provider, "claim"], async (work, [cancel, claim], state) => {
    // A task may be cancelled after its claim, but not claimed after its cancellation.
    assert.equal(cancel?.error, undefined);
    assert.equal(state, "cancelled");
    assert.deepEqual(await recorded(work.taskId), { create: 1, cancel: 1, ...(claim?.error ? {} : { claim: 1 }) });
  }));

test("a release and a proposal: one of them counts", () =>
  race("claimed", [provider, "release"], [requester, "propose"], (_work, [release, propose], state) => {
    assert.equal(ok([release, propose] as Answer<unknown>[]), 1);
    assert.equal(state, release?.error ? "proposed" : "open");
  }));

test("two proposals at once: there is one live agreement", () =>
  rounds(ROUNDS, "claimed", async (work) => {
    const answers = await Promise.all([1, 2, 3].map(() => perform(requester, "propose", { ...work })));
    assert.deepEqual(codes(answers), ["ok", "state_conflict", "state_conflict"]);
  }));

test("a cancellation and a payment that succeeds: either the money counts or the cancellation, never both", () =>
  race("accepted", [requester, "cancel"], [requester, "confirm"], async (work, [cancel, confirm], state) => {
    assert.equal(ok([cancel, confirm] as Answer<unknown>[]), 1);
    const books = await booksOf(work.taskId);
    assert.deepEqual(
      [state, books.state, books.funding === "confirmed", books.bookings, books.total, books.pending],
      cancel?.error ? ["accepted", "recorded", true, 1, 0, 0] : ["cancelled", "void", false, 0, 0, 0],
    );
  }));

test("one payment confirmed ten times at once is booked once, and two payments at once fund an agreement once", () =>
  rounds(ROUNDS, "accepted", async (work) => {
    const payments = await Promise.all(
      [1, 2].map(async () => {
        const own = { ...work };
        await perform(requester, "fund", own);
        return own;
      }),
    );
    await Promise.all(payments.flatMap((own) => Array.from({ length: 5 }, () => perform(requester, "confirm", own))));
    const { funding, bookings, total, pending } = await booksOf(work.taskId);
    assert.deepEqual([funding, bookings, total, pending], ["confirmed", 1, 0, 0]);
  }));

test("of two disputes at once, one is opened, and it is resolved once", () =>
  rounds(ROUNDS, "submitted", async (work) => {
    const answers = await Promise.all([requester, provider].map((agent) => perform(agent, "dispute", { ...work })));
    assert.deepEqual(codes(answers), ["ok", "state_conflict"]);
    const disputeId = answers.find(({ error }) => !error)?.body.dispute?.dispute_id ?? "";
    const resolutions = (["provider", "requester", "provider", "requester"] as const).map((resolution) =>
      resolveDispute(admin, { disputeId, resolution, reason: "test" }).then(
        () => resolution,
        () => undefined,
      ),
    );
    const [winner, ...more] = (await Promise.all(resolutions)).filter(Boolean);
    assert.deepEqual(more, []);
    const books = await booksOf(work.taskId);
    assert.deepEqual(
      [await storedState(work.taskId), books.state, books.total],
      winner === "requester" ? ["cancelled", "void", 0] : ["submitted", "recorded", 0],
    );
  }));
