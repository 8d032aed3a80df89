import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import {
  agentWithOffer,
  callAs,
  publishOffer,
  registerAgent,
  type TestAgent,
  verifiedAgent,
} from "#testing/factories.ts";
import {
  agreedLive,
  fund,
  liveService,
  outwaitOpening,
  readyProvider,
  sessionsOf,
  settlementOf,
  work as workOff,
} from "#testing/live.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did, perform, postTask, taskAt } from "#testing/workflow.ts";

const live = liveService();

test("a LIVE task has at least the minimum LIVE price, and its mode never changes", async () => {
  const requester = await registerAgent();
  const task = await postTask(requester, { payment_mode: "LIVE", budget_pence: 999 });
  assert.equal(task.payment_mode, "LIVE");
  await assert.rejects(postTask(requester, { payment_mode: "LIVE", budget_pence: 998 }), /invalid_input/);
  await assert.rejects(pool().query("UPDATE tasks SET payment_mode = 'TEST' WHERE id = $1", [task.task_id]));
});

test("an order is LIVE only at a price that LIVE takes, and the refusal names a field of the order", async () => {
  const requester = await verifiedAgent();
  const provider = await agentWithOffer();
  const order = async (price_pence: number) => {
    const { offer_id } = await publishOffer(provider, { price_pence });
    const fields = { offer_id, input: "A text.", price_pence, payment_mode: "LIVE", client_request_id: newId("req") };
    return callAs(requester, "POST", "/api/v1/jobs/order.php", fields);
  };
  const { status, error } = await order(998);
  assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, "payment_mode"]);
  assert.equal((await order(999)).status, 201);
});

test("a checkout takes only cards, for the agreed amount, and names the agreement", async () => {
  const work = await agreedLive(live, 2_001);
  const { payment } = (await fund(work)).body;
  assert.deepEqual(
    [payment.payment_mode, payment.simulated, payment.status, payment.amount_pence],
    ["LIVE", false, "pending", 2_001],
  );
  const [session, ...others] = sessionsOf(live, work);
  assert.equal(others.length, 0);
  assert.equal(session?.url, payment.checkout_url);
  assert.deepEqual([session?.amount_total, session?.currency], [2_001, "gbp"]);
  assert.deepEqual(session?.payment_method_types, ["card"]);
  assert.equal(session?.client_reference_id, payment.payment_id);
  const { settlement_id: settlement, funding } = await settlementOf(work);
  assert.equal(funding, "pending");
  const { rows } = await pool().query("SELECT terms FROM contracts WHERE id = $1", [work.contractId]);
  const { terms } = rows[0];
  assert.equal(session?.amount_total, terms.amount_pence);
  const named = {
    guildhall_payment: payment.payment_id,
    guildhall_contract: terms.contract_id,
    guildhall_task: terms.task_id,
    guildhall_settlement: settlement,
    guildhall_provider: terms.provider.public_id,
    guildhall_terms: work.termsHash,
  };
  assert.deepEqual(session?.metadata, named);
  live.stripe.pay(session?.id ?? "");
  const intent = live.stripe.world.intents.get(String(session?.payment_intent));
  assert.deepEqual([intent?.metadata, intent?.transfer_group], [named, settlement]);
});

test("while a checkout is open, the requester's task leads to it, and a start names it", async () => {
  const work = await agreedLive(live);
  const actionOf = async (agent: TestAgent) => {
    const { body } = await callAs<{ task: TaskWire }>(agent, "GET", "/api/v1/jobs/show.php", { task_id: work.taskId });
    return body.task.available_actions;
  };
  const fundOf = async () => (await actionOf(work.requester)).find(({ action }) => action === "fund");
  assert.deepEqual([(await fundOf())?.ready, (await fundOf())?.checkout_url], [true, undefined]);
  const { payment } = (await fund(work)).body;
  assert.deepEqual([(await fundOf())?.ready, (await fundOf())?.checkout_url], [true, payment.checkout_url]);
  assert.ok((await actionOf(work.requester)).every(({ action }) => action !== "confirm"));
  assert.doesNotMatch(JSON.stringify(await actionOf(work.provider)), /checkout_url":/);
  assert.match((await perform(work.provider, "start", work)).error?.message ?? "", /open checkout/);
});

test("one key always gives one payment and one checkout, and another key returns the open one", async () => {
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
  assert.equal(sessionsOf(live, work).length, 1);
});

test("whatever happens to Stripe's answer, the same key leads to one checkout", async () => {
  for (const kind of ["500", "reset", "truncated", "409", "429"] as const)
    for (const when of ["before", "after"] as const) {
      const work = await agreedLive(live);
      const key = newId("req");
      live.stripe.fail({ kind, when, call: "POST /v1/checkout/sessions", times: 2 });
      const first = await fund(work, key);
      live.stripe.heal();
      assert.equal(first.error?.code, "temporarily_unavailable", `${kind} ${when}`);
      await outwaitOpening(work);
      const again = await fund(work, key);
      assert.equal(again.status, 201, `${kind} ${when}: ${again.error?.message}`);
      assert.deepEqual((await fund(work, key)).body, again.body);
      assert.equal(sessionsOf(live, work).length, 1, `${kind} ${when}`);
    }
});

test("after Stripe reports a failure, no new key is sent before a minute has passed", async () => {
  const work = await agreedLive(live);
  const key = newId("req");
  live.stripe.fail({ kind: "500", when: "before", call: "POST /v1/checkout/sessions" });
  const keys = async (status: number) => {
    const from = live.stripe.calls.length;
    assert.equal((await fund(work, key)).status, status);
    const calls = live.stripe.calls.slice(from).filter(({ path }) => path === "/v1/checkout/sessions");
    return calls.map(({ key }) => key ?? "look-up");
  };
  const [first] = await keys(503);
  assert.deepEqual(await keys(503), ["look-up", first]);
  assert.deepEqual(await keys(503), ["look-up", first]);
  await outwaitOpening(work);
  assert.deepEqual(await keys(201), ["look-up", first, "look-up", `${first}-2`]);
  assert.equal(sessionsOf(live, work).length, 1);
});

test("the worker opens a checkout whose request was lost, and the key then returns that one", async () => {
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
  const [session] = sessionsOf(live, work);
  assert.equal((await fund(work, key)).body.payment.checkout_url, session?.url);
});

test("after Stripe refuses a checkout, the agreement waits for funding and the key is unused", async () => {
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

test("a checkout that takes more than cards is closed and never returned", async () => {
  const work = await agreedLive(live);
  const { sessions } = live.stripe.world;
  const put = sessions.set;
  sessions.set = (id, session) =>
    put.call(sessions, id, Object.assign(session, { payment_method_types: ["card", "link"] }));
  const refused = await fund(work);
  sessions.set = put;
  assert.equal(refused.error?.code, "live_unavailable");
  assert.deepEqual(
    sessionsOf(live, work).map(({ status }) => status),
    ["expired"],
  );
  assert.equal((await settlementOf(work)).funding, "required");
});

test("strangers, the provider and wrong states are refused before Stripe is called", async () => {
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

test("an agreement that was declined, or accepted by one party only, opens no checkout", async () => {
  const [requester, provider] = [await registerAgent(), await readyProvider(live)];
  const task = { payment_mode: "LIVE", budget_pence: 2_001 };
  const work = await taskAt("proposed", { requester, provider }, { amountPence: 2_001, task });
  const sessions = live.stripe.world.sessions.size;
  assert.equal((await fund(work)).error?.code, "state_conflict");
  await did(requester, "accept", work);
  assert.equal((await fund(work)).error?.code, "state_conflict");
  await did(provider, "decline", work);
  assert.equal((await fund(work)).error?.code, "state_conflict");
  assert.equal(live.stripe.world.sessions.size, sessions);
});
