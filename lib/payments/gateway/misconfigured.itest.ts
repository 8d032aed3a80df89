import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import {
  agreedLive,
  catchUp,
  completedLive,
  fund,
  liveService,
  opened,
  sessionsOf,
  settlementOf,
  transfersOf,
  workerContext,
} from "#testing/live.ts";
import { openDifferences } from "../reconciliation/differences.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";
import { sendTransfer } from "../transfers/send.ts";
import { ProcessorError } from "./port.ts";

const live = liveService();

const open = async () =>
  (await openDifferences()).flatMap(({ kind, subjectId }) => (kind === "misconfigured" ? [subjectId] : []));

const isMisconfigured = (error: unknown) => error instanceof ProcessorError && error.kind === "misconfigured";

/** Calls that succeed resolve their own problems, but at most once a minute, which no test waits for. */
const forget = () => pool().query("DELETE FROM differences WHERE kind = 'misconfigured'");

test("while Stripe does not accept the key, payments and transfers are held, nothing is declined, and it is reported", async () => {
  const [agreed, completed] = [await agreedLive(live), await completedLive(live)];
  const { settlement_id: id } = await settlementOf(completed);
  const key = newId("req");
  const begun = await agreedLive(live);
  const session = await opened(begun);
  live.stripe.fail({ kind: "401", when: "before", call: "POST /v1/checkout/sessions" });
  assert.equal((await fund(agreed, key)).error?.code, "temporarily_unavailable");
  const old = live.stripe.rollKey();
  assert.equal((await fund(agreed, key)).error?.code, "temporarily_unavailable");
  await assert.rejects(sendTransfer(workerContext(), id), isMisconfigured);
  await assert.rejects(reconcile(workerContext()), isMisconfigured);
  const { rows } = await pool().query("SELECT status FROM payments WHERE contract_id = ANY ($1)", [
    [agreed.contractId, begun.contractId],
  ]);
  assert.deepEqual(rows, [{ status: "pending" }, { status: "pending" }]);
  assert.equal((await settlementOf(completed)).transfer, "queued");
  const reported = await open();
  for (const call of ["openCheckout", "listEvents"]) assert.ok(reported.includes(call), `${call} in ${reported}`);

  live.stripe.rollKey(old);
  live.stripe.pay(session);
  assert.equal((await fund(agreed, key)).status, 201);
  assert.equal(sessionsOf(live, agreed).length, 1);
  await sweepPayments(0);
  await catchUp(live);
  assert.equal((await settlementOf(begun)).funding, "confirmed");
  assert.equal((await settlementOf(completed)).transfer, "sent");
  assert.equal(transfersOf(live, completed).length, 1);
  assert.ok(!(await open()).includes("openCheckout"));
  await forget();
});

test("a key that lacks one right holds what needs that right, and nothing else", async () => {
  const work = await completedLive(live);
  const { settlement_id: id } = await settlementOf(work);
  live.stripe.fail({ kind: "403", when: "before", call: "POST /v1/transfers", times: 2 });
  for (let time = 0; time < 2; time += 1) await assert.rejects(sendTransfer(workerContext(), id), isMisconfigured);
  assert.deepEqual(await open(), ["sendTransfer"]);
  const { rows } = await pool().query("SELECT state, attempt, problem FROM transfer_intents WHERE settlement_id = $1", [
    id,
  ]);
  assert.deepEqual(rows, [{ state: "sending", attempt: 1, problem: null }]);
  assert.equal((await fund(await agreedLive(live))).status, 201);
  await sendTransfer(workerContext(), id);
  assert.equal(transfersOf(live, work).length, 1);
  assert.deepEqual(await open(), []);
});
