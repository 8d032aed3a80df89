import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { registerAgent } from "#lib/testing/factories.ts";
import {
  agreedLive,
  catchUp,
  fund,
  fundedLive,
  type Live,
  type LiveWork,
  sessionOf,
  settlementOf,
  startLive,
  workerContext,
  work as workOff,
} from "#lib/testing/live.ts";
import { changesNothing } from "#lib/testing/snapshot.ts";
import { did, perform, postTask } from "#lib/testing/workflow.ts";
import { reconcile } from "./reconcile.ts";

let live: Live;
before(async () => {
  live = await startLive();
});
after(() => live.stop());

const sessionsOf = ({ contractId }: LiveWork) =>
  [...live.stripe.world.sessions.values()].filter(({ metadata }) => metadata?.guildhall_contract === contractId);

async function balances(work: LiveWork): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ account: string; sum: number }>(
    `SELECT account, sum(amount_pence)::int AS sum FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     JOIN settlements s ON s.id = t.settlement_id WHERE s.contract_id = $1 GROUP BY 1 HAVING sum(amount_pence) <> 0`,
    [work.contractId],
  );
  return Object.fromEntries(rows.map(({ account, sum }) => [account, sum]));
}

test("a LIVE task has at least the smallest LIVE price, and keeps its mode for good", async () => {
  const requester = await registerAgent();
  const task = await postTask(requester, { payment_mode: "LIVE", budget_pence: 999 });
  assert.equal(task.payment_mode, "LIVE");
  await assert.rejects(postTask(requester, { payment_mode: "LIVE", budget_pence: 998 }), /invalid_input/);
  await assert.rejects(pool().query("UPDATE tasks SET payment_mode = 'TEST' WHERE id = $1", [task.task_id]));
});

test("a checkout is for cards alone, over the agreed amount, under the agreement's names", async () => {
  const work = await agreedLive(live, 2_001);
  const { payment } = (await fund(work)).body;
  assert.deepEqual(
    [payment.payment_mode, payment.simulated, payment.status, payment.amount_pence],
    ["LIVE", false, "pending", 2_001],
  );
  const [session, ...others] = sessionsOf(work);
  assert.equal(others.length, 0);
  assert.equal(session?.url, payment.checkout_url);
  assert.deepEqual([session?.amount_total, session?.currency], [2_001, "gbp"]);
  assert.deepEqual(session?.payment_method_types, ["card"]);
  assert.equal(session?.client_reference_id, payment.payment_id);
  assert.equal((await settlementOf(work)).funding, "pending");
});

test("one key, however often and however many at once, is one payment and one checkout; another key gets the open one", async () => {
  const work = await agreedLive(live);
  const key = newId("req");
  const answers = await Promise.all(Array.from({ length: 20 }, () => fund(work, key)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 201),
  );
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  const other = await fund(work);
  assert.deepEqual(other.body, answers[0]?.body);
  assert.equal(sessionsOf(work).length, 1);
});

test("whatever becomes of the answer, the same key leads to the one checkout", async () => {
  for (const kind of ["500", "reset", "truncated", "409", "429"] as const)
    for (const when of ["before", "after"] as const) {
      const work = await agreedLive(live);
      const key = newId("req");
      live.stripe.fail({ kind, when, call: "POST /v1/checkout/sessions", times: 2 });
      const first = await fund(work, key);
      live.stripe.heal();
      assert.equal(first.error?.code, "temporarily_unavailable", `${kind} ${when}`);
      const again = await fund(work, key);
      assert.equal(again.status, 201, `${kind} ${when}: ${again.error?.message}`);
      assert.deepEqual((await fund(work, key)).body, again.body);
      assert.equal(sessionsOf(work).length, 1, `${kind} ${when}`);
    }
});

test("a checkout that nobody came back for is opened by the worker, and is the one that the key then gets", async () => {
  const work = await agreedLive(live);
  const key = newId("req");
  live.stripe.fail({ kind: "truncated", when: "after", call: "POST /v1/checkout/sessions" });
  assert.equal((await fund(work, key)).status, 503);
  live.stripe.heal();
  await pool().query(
    "SELECT graphile_worker.add_job('open-checkout', json_build_object('payment_id', id)) FROM payments WHERE contract_id = $1",
    [work.contractId],
  );
  await workOff();
  const [session] = sessionsOf(work);
  assert.equal((await fund(work, key)).body.payment.checkout_url, session?.url);
});

test("work does not start before Stripe has confirmed the money, whatever the browser came back with", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  assert.equal((await perform(work.provider, "start", work)).error?.code, "funding_required");
  work.paymentId = payment.payment_id;
  assert.equal((await perform(work.requester, "confirm", work)).error?.code, "forbidden");
  live.stripe.pay(await sessionOf(payment.payment_id), "decline");
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "pending");
  live.stripe.pay(await sessionOf(payment.payment_id));
  await catchUp(live);
  const funded = await settlementOf(work);
  assert.deepEqual([funded.funding, funded.is_charge], ["confirmed", true]);
  assert.deepEqual(await balances(work), { cash: 2_001, held: -2_001 });
  await did(work.provider, "start", work);
});

test("a checkout whose time is over leaves the agreement waiting, and another can be opened", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  live.stripe.expire(await sessionOf(payment.payment_id));
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "required");
  const next = await fund(work);
  assert.equal(next.status, 201);
  assert.notEqual(next.body.payment.payment_id, payment.payment_id);
});

test("money that is not what was ordered funds nothing, and is reported", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  const session = await sessionOf(payment.payment_id);
  live.stripe.pay(session);
  const intent = live.stripe.world.intents.get(String(live.stripe.world.sessions.get(session)?.payment_intent));
  const charge = live.stripe.world.charges.get(String(intent?.latest_charge));
  Object.assign(charge ?? {}, { amount_captured: 1, amount: 1 });
  await catchUp(live);
  assert.equal((await settlementOf(work)).funding, "pending");
  assert.deepEqual(await balances(work), {});
  const { differences } = await reconcile(workerContext());
  assert.deepEqual(differences.map(({ kind }) => kind).sort(), ["cash", "payment_misfit"]);
  Object.assign(charge ?? {}, { amount_captured: 2_001, amount: 2_001 });
  assert.deepEqual((await reconcile(workerContext())).differences, []);
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("cancelling closes the open checkout at Stripe, and a funded task can no longer be cancelled", async () => {
  const work = await agreedLive(live);
  await fund(work);
  await did(work.requester, "cancel", work);
  await catchUp(live);
  assert.deepEqual(
    sessionsOf(work).map(({ status }) => status),
    ["expired"],
  );
  assert.equal((await settlementOf(work)).state, "void");
  const funded = await fundedLive(live);
  assert.equal((await perform(funded.requester, "cancel", funded)).error?.code, "state_conflict");
});

test("money that is faster than a cancellation is not lost: the books owe it, and say so until it is refunded", async () => {
  const work = await agreedLive(live);
  const { payment } = (await fund(work)).body;
  const session = await sessionOf(payment.payment_id);
  live.stripe.pay(session);
  await did(work.requester, "cancel", work);
  await catchUp(live);
  const settlement = await settlementOf(work);
  assert.deepEqual([settlement.state, settlement.funding, settlement.is_charge], ["void", "confirmed", true]);
  assert.deepEqual(await balances(work), { cash: 2_001, refund_due: -2_001 });
  const before = await reconcile(workerContext());
  assert.deepEqual(
    [before.differences, before.waiting.map(({ subjectId }) => subjectId)],
    [[], [settlement.settlement_id]],
  );
  live.stripe.refund(String(live.stripe.world.sessions.get(session)?.payment_intent));
  await catchUp(live);
  assert.deepEqual(await balances(work), { refund_due: -2_001, refunds: 2_001 });
  assert.deepEqual((await reconcile(workerContext())).waiting, []);
});

test("a checkout that Stripe refuses leaves the agreement waiting, and the key free", async () => {
  const work = await agreedLive(live);
  const key = newId("req");
  const { options } = live.stripe.world;
  const methods = options.enabledMethods;
  options.enabledMethods = [];
  const refused = await fund(work, key);
  options.enabledMethods = methods;
  assert.equal(refused.error?.code, "live_unavailable");
  assert.equal((await settlementOf(work)).funding, "required");
  assert.equal((await fund(work, key)).status, 201);
});

test("a checkout that comes back with more than cards is closed, and never handed out", async () => {
  const work = await agreedLive(live);
  const { sessions } = live.stripe.world;
  const put = sessions.set;
  sessions.set = (id, session) =>
    put.call(sessions, id, Object.assign(session, { payment_method_types: ["card", "link"] }));
  const refused = await fund(work);
  sessions.set = put;
  assert.equal(refused.error?.code, "live_unavailable");
  assert.deepEqual(
    sessionsOf(work).map(({ status }) => status),
    ["expired"],
  );
  assert.equal((await settlementOf(work)).funding, "required");
});

test("a stranger, the provider and an unfit state are refused before Stripe is asked", async () => {
  const work = await agreedLive(live);
  const calls = live.stripe.calls.length;
  const stranger = await registerAgent();
  await changesNothing("a refused funding", async () => {
    assert.equal((await fund({ ...work, requester: work.provider })).error?.code, "forbidden");
    assert.equal((await fund({ ...work, requester: stranger })).error?.code, "forbidden");
    assert.equal((await fund({ ...work, contractId: newId("con") })).error?.code, "not_found");
  });
  await did(work.requester, "cancel", work);
  assert.equal((await fund(work)).error?.code, "state_conflict");
  assert.equal(live.stripe.calls.length, calls);
});
