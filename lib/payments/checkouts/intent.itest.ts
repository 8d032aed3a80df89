import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { settlementOf } from "#testing/live.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { perform, taskAt, type Work } from "#testing/workflow.ts";
import type { AccountAnswer, PaymentWire } from "../schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent();
});

function intent(work: Work, key: string | undefined, agent = requester) {
  return call<{ payment: PaymentWire }>("POST", "/api/v1/payments/intent.php", {
    token: agent.token,
    body: { public_id: agent.publicId, contract_id: work.contractId },
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  });
}
const agreed = () => taskAt("accepted", { requester, provider });
const confirm = (payment_id: string, outcome: string, agent = requester) =>
  callAs<{ payment: PaymentWire }>(agent, "POST", "/api/v1/payments/confirm.php", { payment_id, outcome });

test("one key sent a hundred times at once starts one payment, and all answers are the same", async () => {
  const work = await agreed();
  const key = newId("req");
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => intent(work, index % 2 ? key : `"${key}"`)),
  );
  assert.ok(answers.every(({ status }) => status === 201));
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal(answers.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true").length, 99);
  const { rows } = await pool().query("SELECT 1 FROM payments WHERE contract_id = $1", [work.contractId]);
  assert.equal(rows.length, 1);
});

test("a key is required, and is the same with or without quotes", async () => {
  const work = await agreed();
  await changesNothing("a bad key", async () => {
    for (const key of [undefined, "", '""', "a b", "x".repeat(101), "é"])
      assert.equal((await intent(work, key)).error?.field_errors?.[0]?.path, "Idempotency-Key", key);
  });
  const first = await intent(work, "the-key");
  const again = await intent(work, '"the-key"');
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(again.headers.get("Idempotent-Replayed"), "true");
});

test("a key that was used for another agreement is refused", async () => {
  const [one, other] = [await agreed(), await agreed()];
  await intent(one, "shared");
  await changesNothing("a conflicting key", async () => {
    assert.equal((await intent(other, "shared")).error?.code, "request_id_conflict");
  });
});

test("a refused attempt leaves its key unused, and an answered one always gets the same answer", async () => {
  const work = await taskAt("proposed", { requester, provider });
  assert.equal((await intent(work, "later")).error?.code, "state_conflict");
  for (const agent of [requester, provider]) await perform(agent, "accept", work);
  const first = await intent(work, "later");
  assert.equal(first.status, 201);
  await perform(requester, "cancel", work);
  const again = await intent(work, "later");
  assert.deepEqual([again.status, again.body], [201, first.body]);
});

test("a simulated payment says so and moves nothing, and only its requester can set its outcome", async () => {
  const work = await agreed();
  const { payment } = (await intent(work, newId("req"))).body;
  assert.deepEqual(
    [payment.simulated, payment.payment_mode, payment.status, payment.amount_pence, payment.checkout_url],
    [true, "TEST", "pending", 500, undefined],
  );
  assert.equal((await settlementOf(work)).funding, "pending");
  const stranger = await registerAgent();
  await changesNothing("an outcome by another, or of another kind,", async () => {
    assert.equal((await confirm(payment.payment_id, "succeed", provider)).error?.code, "forbidden");
    assert.equal((await confirm(payment.payment_id, "succeed", stranger)).error?.code, "not_found");
    assert.equal((await confirm(payment.payment_id, "refund")).error?.code, "invalid_input");
  });
  assert.equal((await confirm(payment.payment_id, "succeed")).body.payment.status, "succeeded");
  assert.equal((await settlementOf(work)).funding, "confirmed");
});

test("an outcome is final, and setting it again changes nothing", async () => {
  const work = await agreed();
  const { payment } = (await intent(work, newId("req"))).body;
  const first = await confirm(payment.payment_id, "succeed");
  await changesNothing("a second outcome", async () => {
    assert.deepEqual((await confirm(payment.payment_id, "succeed")).body, first.body);
    assert.equal((await confirm(payment.payment_id, "decline")).error?.code, "state_conflict");
    assert.equal((await intent(work, newId("req"))).error?.code, "state_conflict");
  });
});

test("a declined payment can be followed by another, and one success is enough", async () => {
  const work = await agreed();
  const payments = [];
  for (let attempt = 0; attempt < 3; attempt += 1)
    payments.push((await intent(work, newId("req"))).body.payment.payment_id);
  const [one = "", two = "", three = ""] = payments;
  assert.equal((await confirm(one, "decline")).body.payment.status, "declined");
  assert.equal((await settlementOf(work)).funding, "pending");
  assert.equal((await confirm(two, "succeed")).body.payment.status, "succeeded");
  assert.equal((await confirm(three, "succeed")).error?.code, "state_conflict");
  const { rows } = await pool().query(
    "SELECT status, count(*)::int FROM payments WHERE contract_id = $1 GROUP BY 1 ORDER BY 1",
    [work.contractId],
  );
  assert.deepEqual(rows, [
    { status: "succeeded", count: 1 },
    { status: "declined", count: 1 },
    { status: "canceled", count: 1 },
  ]);
});

test("after the last pending payment is declined, the agreement waits for funding again", async () => {
  const work = await agreed();
  const { payment } = (await intent(work, newId("req"))).body;
  await confirm(payment.payment_id, "decline");
  assert.equal((await settlementOf(work)).funding, "required");
});

test("a pending payment of a cancelled task can no longer succeed", async () => {
  const work = await agreed();
  const { payment } = (await intent(work, newId("req"))).body;
  assert.equal((await perform(requester, "cancel", work)).status, 200);
  for (const outcome of ["succeed", "decline"])
    assert.equal((await confirm(payment.payment_id, outcome)).error?.code, "state_conflict");
});

test("LIVE is refused while it is not configured, and nothing is simulated in its place", async () => {
  const path = "/api/v1/payments/account.php";
  assert.equal((await callAs(provider, "POST", path)).error?.code, "live_unavailable");
  const { status, body } = await callAs<z.output<typeof AccountAnswer>>(provider, "GET", path);
  assert.equal(status, 200);
  assert.deepEqual(
    body.readiness.map(({ step, done }) => [step, done]),
    [["live_offered", false]],
  );
});
