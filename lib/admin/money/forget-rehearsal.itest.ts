import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { liveGateway } from "#lib/payments/gateway/live.ts";
import { readSetUp, requireOurAccount } from "#lib/payments/platform/read.ts";
import { reconcile } from "#lib/payments/reconciliation/reconcile.ts";
import type { StripeStandIn } from "#stripe-stand-in/stand-in.ts";
import { runHere } from "#testing/admin-command.ts";
import { callAs, succeeded } from "#testing/factories.ts";
import {
  agreedLive,
  assertAgreed,
  catchUp,
  completedLive,
  fund,
  fundedLive,
  type Live,
  settlementOf,
  startLive,
  workerContext,
} from "#testing/live.ts";
import { startStripe } from "#testing/rehearsal.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { did } from "#testing/workflow.ts";
import { readMoney } from "../page-reads/money.ts";

let rehearsal: Live;
let real: StripeStandIn;
before(async () => {
  rehearsal = await startLive({ settleSeconds: 0 });
  real = await startStripe({ livemode: true, settleSeconds: 0, seed: 2 });
});
after(async () => {
  await real.close();
  await rehearsal.stop();
});

/** The operator puts another key into the configuration and restarts. */
function useKeyOf({ secretKey, port }: StripeStandIn, isRehearsal: boolean): void {
  const apiBase = { protocol: "http", host: "127.0.0.1", port } as const;
  Object.assign(env().stripe ?? assert.fail(), { secretKey, apiBase, rehearsal: isRehearsal });
}

const forget = () => runHere("forget-rehearsal");
const refusal = (act: () => Promise<unknown>) =>
  act().then(
    () => "",
    ({ message }: Error) => message,
  );
const rehearsed = async () => (await readSetUp()).steps.find(({ step }) => step === "rehearsal")?.done;
const ledgerSums = async () =>
  (
    await pool().query(
      `SELECT to_char(t.at, 'YYYY-MM') AS month, e.account::text, sum(e.amount_pence)::int AS sum FROM ledger_entries e
       JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.payment_mode = 'LIVE' GROUP BY 1, 2 HAVING sum(e.amount_pence) <> 0`,
    )
  ).rows;

test("before anything was rehearsed there is nothing to forget", async () => {
  assert.match(await refusal(forget), /nothing to forget/);
});

test("a rehearsal is forgotten only when nothing of it is open, and real money begins with clean books", async () => {
  const paid = await completedLive(rehearsal);
  const refunded = await fundedLive(rehearsal);
  await did(refunded.provider, "start", refunded);
  await did(refunded.provider, "submit", refunded);
  const disputed = await completedLive(rehearsal);
  await catchUp(rehearsal);
  rehearsal.stripe.closeDispute(rehearsal.stripe.openDispute(disputed.intent).id, "lost");
  rehearsal.stripe.refund(refunded.intent, 500);
  rehearsal.stripe.topUp(5_000);
  await catchUp(rehearsal);
  await reconcile(workerContext());

  await changesNothing("forgetting an open rehearsal", async () => {
    assert.match(await refusal(forget), /1 LIVE tasks that have not ended/);
  });
  await did(refunded.requester, "complete", refunded);
  assert.match(await refusal(forget), /1 transfers that are not sent yet/);
  const { settlement_id: id } = await settlementOf(refunded);
  await runHere("cancel-transfer", id);
  await reconcile(workerContext());
  const before = await rehearsed();
  assert.notEqual((await ledgerSums()).length, 0);

  assert.equal((await forget()).ok, undefined);
  assert.deepEqual(await ledgerSums(), []);
  for (const work of [paid, disputed, refunded]) {
    const settlement = await settlementOf(work);
    assert.deepEqual([settlement.is_charge, settlement.state, settlement.transfer], [false, "void", "none"]);
    assert.equal((await callAs(work.requester, "GET", "/api/v1/jobs/show.php", { task_id: work.taskId })).status, 200);
  }
  assert.deepEqual(await prisma().difference.count({ where: { resolvedAt: null } }), 0);
  const { solvency, charges, chargebacks, refundsDue, failedPayouts } = await readMoney(new Date());
  assert.deepEqual([solvency, charges, chargebacks, refundsDue, failedPayouts], [null, [], [], [], []]);

  useKeyOf(real, false);
  await requireOurAccount();
  assert.equal(await rehearsed(), false, `it was ${before} with test data`);
  const live: Live = { stripe: real, stop: async () => undefined };
  await completedLive(live);
  await catchUp(live);
  await assertAgreed();
  assert.ok(real.calls.every(({ path }) => !path.includes("cs_test_")));
  assert.equal(await rehearsed(), true);
  assert.equal((await readMoney(new Date())).charges.length, 1);
  assert.match(await refusal(forget), /in live mode: records of real money are never forgotten/);
});

test("with a key of the other mode or another account the service does not start, and calls Stripe for no record", async () => {
  useKeyOf(rehearsal.stripe, true);
  assert.match(
    await refusal(requireOurAccount),
    /belong to Stripe account acct_platform in live mode, but STRIPE_SECRET_KEY is of Stripe account acct_platform in test mode/,
  );
  const { length } = rehearsal.stripe.calls;
  const gateway = await liveGateway();
  assert.match(await refusal(() => gateway.readBalance()), /in live mode, but/);
  assert.ok(rehearsal.stripe.calls.slice(length).every(({ path }) => path === "/v1/account"));
  assert.equal(await rehearsed(), false);
  const found = await prisma().difference.findFirst({ where: { kind: "misconfigured", resolvedAt: null } });
  assert.match(found?.remedy ?? "", /forget-rehearsal/);

  useKeyOf(real, false);
  await requireOurAccount();
  await pool().query("UPDATE stripe_bindings SET account_id = 'acct_other'");
  assert.match(await refusal(requireOurAccount), /acct_other in live mode, but .* acct_platform in live mode/);
  const { steps } = await readSetUp();
  assert.match(steps.find(({ step }) => step === "account")?.detail ?? "", /acct_other/);
  await pool().query("UPDATE stripe_bindings SET account_id = 'acct_platform'");
});

test("the service starts while Stripe does not answer, and checks the account before its first call", async () => {
  real.fail({ kind: "500", when: "before", call: "GET /v1/account", times: 2 });
  useKeyOf({ ...real, secretKey: real.secretKey, port: real.port } as StripeStandIn, false);
  await requireOurAccount();
  real.heal();
  const live: Live = { stripe: real, stop: async () => undefined };
  const work = await agreedLive(live);
  succeeded(await fund(work, newId("req")), 201);
});

test("a database from before the account was recorded takes it from the first call, if the mode is the same", async () => {
  await pool().query("UPDATE stripe_bindings SET account_id = NULL, livemode = false");
  assert.match(await refusal(requireOurAccount), /Stripe account \(unknown\) in test mode/);
  await pool().query("UPDATE stripe_bindings SET livemode = true");
  await (await liveGateway()).readBalance();
  assert.deepEqual((await pool().query("SELECT account_id FROM stripe_bindings")).rows, [
    { account_id: "acct_platform" },
  ]);
});
