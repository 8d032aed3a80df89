import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { hold, unhold } from "#lib/admin/hold.ts";
import { refund } from "#lib/admin/money/move.ts";
import { pool } from "#lib/db/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { findAlerts } from "#lib/payments/alerts/find.ts";
import { readPayment } from "#lib/payments/checkouts/checkout.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import { sendTransfer } from "#lib/payments/transfers/send.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { admin, reason } from "#testing/administrator.ts";
import { callAs, registerAgent, verifiedAgent } from "#testing/factories.ts";
import {
  agreedLive,
  assertAgreed,
  balancesOf,
  catchUp,
  completedLive,
  work as doWork,
  fundedLive,
  intentOf,
  type LiveWork,
  liveService,
  movedAtStripe,
  opened,
  settlementOf,
  transfersOf,
  withoutStripe,
  workerContext,
} from "#testing/live.ts";
import { disputed } from "#testing/money-acts.ts";
import { did, passTime, perform, taskAt, type Work } from "#testing/workflow.ts";

const live = liveService({ settleSeconds: 0 });
const GROSS = 2_001;

const giveUp = (work: Work) => did(work.provider, "give_up", work);

/** The requester leaves work on which nobody has done anything for a month. */
async function leave(work: Work) {
  await passTime(work.taskId, 31);
  return did(work.requester, "leave", work);
}

/** What the settlement shows: its state, and what was refunded and is still due. */
async function shown(work: Work) {
  const { state, funding, refunded_pence: refunded, refund_due_pence: due } = await settlementOf(work);
  return { state, funding, refunded, due };
}
const RETURNED = { state: "void", funding: "confirmed", refunded: GROSS, due: undefined };

async function actsOf(work: Work) {
  const { settlement_id: id } = await settlementOf(work);
  const { rows } = await pool().query(
    `SELECT m.act_id AS "actId", m.state, a.actor_kind AS by FROM money_acts m
     JOIN audit_events a ON a.subject_id = m.settlement_id AND a.action = 'refund' WHERE m.settlement_id = $1`,
    [id],
  );
  return { id, acts: rows };
}

async function inTest(state: "accepted" | "in_progress"): Promise<Work> {
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  return taskAt(state, parties, { amountPence: GROSS, task: { budget_pence: GROSS } });
}

/** An agreement whose checkout is open. */
async function unpaid(): Promise<LiveWork & { session: string }> {
  const work = await agreedLive(live, GROSS);
  return { ...work, session: await opened(work), paymentId: work.paymentId };
}

type Statement = { event: string; facts: { amount_pence?: number } };

/** The last entries of the log about a task, which the evidence proves: each event with its amount. */
async function proved(work: Work) {
  const { body } = await callAs<{ statements: Statement[] }>(work.requester, "GET", "/api/v1/jobs/evidence.php", {
    task_id: work.taskId,
  });
  assert.deepEqual((await verifyEvidence(body)).problems, []);
  return body.statements.slice(-3).map(({ event, facts }) => [event, facts.amount_pence]);
}

const ENDS = { leave, give_up: giveUp };

for (const [name, end] of Object.entries(ENDS))
  test(`in TEST, ${name} refunds what was paid in the books at once, by the system`, async () => {
    const work = await inTest("in_progress");
    const { task } = await end(work);
    assert.equal(task?.state, "cancelled");
    assert.deepEqual(await shown(work), RETURNED);
    assert.deepEqual(await balancesOf(work), {});
    const { id, acts } = await actsOf(work);
    assert.deepEqual(acts, [{ actId: id.replace("stl_", "act_"), state: "done", by: "system" }]);
    assert.deepEqual(await proved(work), [
      ["task.cancelled", undefined],
      ["settlement.void", undefined],
      ["payment.refunded", GROSS],
    ]);
  });

test("in TEST, a pending payment ends, and can no longer be confirmed", async () => {
  const work = await inTest("accepted");
  await did(work.requester, "fund", work);
  await giveUp(work);
  assert.deepEqual(await shown(work), { state: "void", funding: "required", refunded: 0, due: undefined });
  assert.equal((await perform(work.requester, "confirm", work)).error?.code, "state_conflict");
  assert.deepEqual((await actsOf(work)).acts, []);
});

for (const [name, end] of Object.entries(ENDS))
  test(`in LIVE, ${name} refunds what was paid once at Stripe, under an act whose ID is the settlement's`, async () => {
    const work = await fundedLive(live, GROSS);
    await end(work);
    assert.deepEqual(await shown(work), { ...RETURNED, refunded: 0, due: GROSS });
    await catchUp(live);
    assert.deepEqual(await shown(work), RETURNED);
    const { id, acts } = await actsOf(work);
    assert.deepEqual(acts, [{ actId: id.replace("stl_", "act_"), state: "done", by: "system" }]);
    assert.deepEqual(movedAtStripe(live, id).refunds, [GROSS]);
    assert.deepEqual(await balancesOf(work), {});
    assert.deepEqual((await proved(work)).at(-1), ["payment.refunded", GROSS]);
    await assertAgreed();
  });

test("an open checkout is closed, and a payment that succeeds meanwhile is refunded too", async () => {
  for (const isPaid of [false, true]) {
    const work = await unpaid();
    await giveUp(work);
    if (isPaid) live.stripe.pay(work.session);
    await catchUp(live);
    assert.deepEqual(
      await shown(work),
      isPaid ? RETURNED : { state: "void", funding: "required", refunded: 0, due: undefined },
    );
    assert.deepEqual(movedAtStripe(live, (await settlementOf(work)).settlement_id).refunds, isPaid ? [GROSS] : []);
    await assertAgreed();
  }
});

test("after a refund by an administrator, made or under way, the rest is refunded", async () => {
  for (const isMade of [true, false]) {
    const work = await fundedLive(live, GROSS);
    const { settlement_id: settlementId } = await settlementOf(work);
    const order = () => refund(admin, { settlementId, pence: 700, reason });
    await (isMade ? order() : withoutStripe(order));
    await giveUp(work);
    await catchUp(live);
    assert.deepEqual(movedAtStripe(live, settlementId).refunds.toSorted(), [GROSS - 700, 700].toSorted());
    assert.deepEqual(await shown(work), RETURNED);
  }
});

/** The open findings about a settlement, and the alerts that name it. */
async function reported(settlementId: string) {
  const { waiting, differences } = await reconcile(workerContext(), 10_000);
  Object.assign(env(), { alertWebhookUrl: "http://127.0.0.1:9/" });
  await findAlerts(workerContext());
  Object.assign(env(), { alertWebhookUrl: undefined });
  const { rows } = await pool().query("SELECT kind FROM alerts WHERE text LIKE '%' || $1 || '%' ORDER BY 1", [
    settlementId,
  ]);
  return {
    findings: [...waiting, ...differences].flatMap(({ kind, settlementId: of }) => (of === settlementId ? [kind] : [])),
    alerts: rows.map(({ kind }) => kind),
  };
}

test("a refund that comes back is found and reported, and one of a disputed charge is left to the bank", async () => {
  const failed = await fundedLive(live, GROSS);
  await giveUp(failed);
  await catchUp(live);
  const { id } = await actsOf(failed);
  const made = [...live.stripe.world.refunds.values()].find(({ metadata }) => metadata?.guildhall_settlement === id);
  live.stripe.failRefund(made?.id ?? "");
  await catchUp(live);
  assert.deepEqual(await shown(failed), { ...RETURNED, refunded: 0, due: GROSS });
  assert.deepEqual((await actsOf(failed)).acts[0]?.state, "failed");
  assert.deepEqual(await reported(id), { findings: ["refund_due"], alerts: ["refund_due"] });

  const chargedBack = await unpaid();
  await giveUp(chargedBack);
  live.stripe.pay(chargedBack.session);
  live.stripe.openDispute(intentOf(live, chargedBack.session));
  await readPayment(workerContext(), chargedBack.paymentId);
  await catchUp(live);
  const left = await actsOf(chargedBack);
  assert.deepEqual([left.acts, await reported(left.id)], [[], { findings: [], alerts: ["chargeback"] }]);
});

test("a refund that Stripe keeps failing to answer is reported after an hour", async () => {
  const work = await fundedLive(live, GROSS);
  await giveUp(work);
  live.stripe.fail({ kind: "500", when: "before", call: "POST /v1/refunds", times: Number.POSITIVE_INFINITY });
  await doWork();
  const { id } = await actsOf(work);
  assert.deepEqual(await reported(id), { findings: ["refund_due"], alerts: [] });
  await pool().query("UPDATE money_acts SET created_at = created_at - interval '61 minutes' WHERE settlement_id = $1", [
    id,
  ]);
  assert.deepEqual(await reported(id), { findings: ["refund_due"], alerts: ["refund_due"] });
  live.stripe.heal();
});

test("while its payment cannot be refunded, work cannot be left or given up, and the refusal names the reason", async () => {
  const work = await fundedLive(live, GROSS);
  await passTime(work.taskId, 31);
  const { requester, provider } = work;
  const refusals = async () => {
    const answers = [await perform(requester, "leave", work), await perform(provider, "give_up", work)];
    const { task } = await callAs<{ task: TaskWire }>(requester, "GET", "/api/v1/jobs/show.php", {
      task_id: work.taskId,
    }).then(({ body }) => body);
    const shown = task.available_actions?.find(({ action }) => action === "leave");
    assert.equal(shown?.ready, answers[0]?.error === undefined);
    return answers.map(({ error }) => [error?.code, error?.message]);
  };
  const conflict = (why: RegExp) => (found: unknown[]) => found[0] === "state_conflict" && why.test(String(found[1]));
  for (const [subjectId, mine, other] of [
    [requester.publicId, 0, 1],
    [provider.publicId, 1, 0],
  ] as const) {
    await hold(admin, { subjectId, reason });
    const found = await refusals();
    assert.equal(found[mine]?.[0], "gate_refused");
    assert.ok(conflict(/holds the other party/)(found[other] ?? []), String(found[other]));
    await unhold(admin, { subjectId, reason });
  }
  await hold(admin, { subjectId: work.taskId, reason });
  assert.deepEqual(
    (await refusals()).map(([code]) => code),
    ["gate_refused", "gate_refused"],
  );
  await unhold(admin, { subjectId: work.taskId, reason });
  const disputeId = await disputed(work);
  for (const found of await refusals()) assert.ok(conflict(/dispute/)(found), String(found));
  await resolveDispute(admin, { disputeId, resolution: "provider", reason });
  const chargeback = live.stripe.openDispute(work.intent);
  await catchUp(live);
  for (const found of await refusals()) assert.ok(conflict(/chargeback/)(found), String(found));
  // After that the work can be given up. Here Stripe refuses to refund a charge that was disputed, which is left to a person.
  live.stripe.closeDispute(chargeback.id, "won");
  await catchUp(live);
  await giveUp(work);
  await catchUp(live);
  const { id, acts } = await actsOf(work);
  assert.deepEqual(
    acts.map(({ state }) => state),
    ["failed"],
  );
  assert.deepEqual(await reported(id), { findings: ["refund_due"], alerts: ["chargeback", "refund_due"] });
});

test("of leaving, giving up, submitting, disputing and an administrator's refund at once, the money goes back once or not at all", async () => {
  for (let round = 0; round < 5; round += 1) {
    const work = await fundedLive(live, GROSS);
    await did(work.provider, "start", work);
    await passTime(work.taskId, 31);
    const { settlement_id: settlementId } = await settlementOf(work);
    const steps = [
      () => perform(work.requester, "leave", work),
      () => perform(work.provider, "give_up", work),
      () => perform(work.provider, "submit", work),
      () => perform(work.requester, "dispute", work),
      () =>
        refund(admin, { settlementId, reason }).then(
          () => ({ error: undefined }),
          (error) => ({ error }),
        ),
    ];
    const order = steps.map((_, at) => steps[(at + round) % steps.length] ?? assert.fail());
    await Promise.all(order.map((step) => step()));
    await catchUp(live);
    const { state, refunded } = await shown(work);
    const { refunds } = movedAtStripe(live, settlementId);
    const sent = refunds.reduce((sum, pence) => sum + pence, 0);
    assert.ok(
      sent === refunded && (refunded === GROSS || (refunded === 0 && state === "recorded")),
      `${state} ${refunds}`,
    );
  }
  await assertAgreed();
});

test("a requester who wins a dispute about a completed task is owed the money, and nothing is transferred", async () => {
  const work = await completedLive(live);
  await resolveDispute(admin, { disputeId: await disputed(work), resolution: "requester", reason });
  await catchUp(live);
  const settlement = await settlementOf(work);
  assert.deepEqual([settlement.state, settlement.transfer, settlement.funding], ["void", "none", "confirmed"]);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
  assert.deepEqual(transfersOf(live, work), []);
  const sent = await completedLive(live);
  await catchUp(live);
  assert.equal((await perform(sent.requester, "dispute", sent)).error?.code, "state_conflict");
});

test("a transfer attempt that had no effect does not keep its settlement from being voided", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  live.stripe.fail({ kind: "reset", when: "before", call: "POST /v1/transfers", times: 2 });
  await assert.rejects(sendTransfer(workerContext(), id));
  live.stripe.heal();
  const disputeId = await disputed(work);
  const resolve = () => resolveDispute(admin, { disputeId, resolution: "requester", reason });
  assert.equal(await sendTransfer(workerContext(), id), "held");
  await assert.rejects(resolve(), { code: "state_conflict" });
  const later = { now: () => secondsAfter(new Date(), 301) };
  assert.equal(await sendTransfer(workerContext(later), id), "held");
  await resolve();
  assert.equal((await settlementOf(work)).state, "void");
  assert.equal(await sendTransfer(workerContext(), id), "done");
  assert.deepEqual(transfersOf(live, work), []);
  assert.deepEqual(await balancesOf(work), { cash: 2_001, refund_due: -2_001 });
});
