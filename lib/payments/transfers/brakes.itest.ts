import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { runHere } from "#testing/admin-command.ts";
import { call } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, registerAgent, verifiedAgent } from "#testing/factories.ts";
import {
  catchUp,
  completedLive,
  fundedLive,
  holdsOf,
  liveService,
  onboarded,
  readyProvider,
  settlementOf,
  workerContext,
  work as workOff,
} from "#testing/live.ts";
import { taskAt } from "#testing/workflow.ts";
import { findAlerts } from "../alerts/find.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";

const live = liveService({ settleSeconds: 0 });
afterEach(() => configure());

type Refused = { error: { field_errors?: { path: string }[] | undefined } | undefined };
const fieldsOf = ({ error }: Refused) => error?.field_errors?.map(({ path }) => path);

test("a transfer waits for days after completion, is then sent without anyone's help, and is no news while it waits", async () => {
  await configure({ LIVE_TRANSFER_DELAY_DAYS: "5", ALERT_WEBHOOK_URL: "http://localhost:1/" });
  const work = await completedLive(live);
  const pass = async (days: number) => {
    await pool().query(
      `UPDATE transfer_intents SET created_at = created_at - make_interval(days => $1),
         not_before = not_before - make_interval(days => $1)`,
      [days],
    );
    await sweepPayments(0);
    await workOff();
  };
  await catchUp(live);
  await pass(0);
  assert.deepEqual(await holdsOf(work), ["transfer_delay"]);
  await pass(4);
  await findAlerts(workerContext());
  assert.equal((await settlementOf(work)).transfer, "queued");
  assert.equal(await prisma().alert.count({ where: { kind: "transfer_held" } }), 0);
  await pass(1);
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("an administrator can send a transfer before its delay is over", async () => {
  await configure({ LIVE_TRANSFER_DELAY_DAYS: "2" });
  const work = await completedLive(live);
  await catchUp(live);
  const { settlement_id: id } = await settlementOf(work);
  await runHere("send-transfer", id);
  await catchUp(live);
  assert.equal((await settlementOf(work)).transfer, "sent");
});

test("LIVE refuses agreed prices outside its bounds, budgets above the maximum and due dates after 60 days at their fields, and status.php names the maximum", async () => {
  const requester = await registerAgent();
  const create = (budget: number) =>
    callAs(requester, "POST", "/api/v1/jobs/create.php", {
      brief: "For real money",
      budget_pence: budget,
      payment_mode: "LIVE",
      client_request_id: newId("req"),
    });
  assert.equal((await create(100_000)).status, 201);
  assert.deepEqual(fieldsOf(await create(100_001)), ["budget_pence"]);
  const { body } = await call<{ live_max_pence: number }>("GET", "/api/v1/status.php");
  assert.equal(body.live_max_pence, 100_000);
  const provider = await readyProvider(live);
  const task = { payment_mode: "LIVE", budget_pence: 90_000 };
  const { taskId } = await taskAt("claimed", { requester, provider }, { amountPence: 90_000, task });
  await configure({ LIVE_MAX_PENCE: "80000" });
  const terms = { scope: "All of it", acceptance_criteria: ["It is done."], data_terms: "None." };
  const propose = (more: object) =>
    callAs(requester, "POST", "/api/v1/contracts/create.php", { task_id: taskId, ...terms, ...more });
  for (const amount_pence of [998, 80_001])
    assert.deepEqual(fieldsOf(await propose({ amount_pence })), ["amount_pence"]);
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  assert.deepEqual(fieldsOf(await propose({ amount_pence: 80_000, due_at: inDays(60.1) })), ["due_at"]);
  assert.equal((await propose({ amount_pence: 80_000, due_at: inDays(59.9) })).status, 201);
});

test("money that is held for 75 days is reported with what to do and until when, until it has moved", async () => {
  const work = await fundedLive(live);
  const age = (days: number) =>
    pool().query(
      "UPDATE settlements SET funded_at = now() - make_interval(days => $2), looked_at = NULL WHERE contract_id = $1",
      [work.contractId, days],
    );
  const found = async () =>
    (await reconcile(workerContext())).waiting.filter(({ kind }) => kind === "held_long").map(({ dueBy }) => dueBy);
  await age(74);
  assert.deepEqual(await found(), []);
  await age(76);
  const [dueBy, ...others] = await found();
  assert.equal(others.length, 0);
  assert.ok(dueBy && Math.abs(dueBy.getTime() - Date.now() - 14 * 86_400_000) < 60_000);
  await runHere("refund", (await settlementOf(work)).settlement_id);
  await catchUp(live);
  assert.deepEqual(await found(), []);
  assert.equal(await prisma().difference.count({ where: { kind: "held_long", resolvedAt: null } }), 0);
});

test("Stripe keeps a new provider's money for longer, until 30 days after its first transfer", async () => {
  await configure({ LIVE_NEW_PROVIDER_DELAY_DAYS: "7" });
  live.stripe.fail({ kind: "403", when: "before", call: "POST /v1/balance_settings" });
  const begun = await onboarded(live, await verifiedAgent());
  const delayOf = (account: string) => live.stripe.world.accounts.get(account)?.delayDays;
  const look = async () => {
    await pool().query("UPDATE payment_accounts SET looked_at = NULL");
    await reconcile(workerContext());
  };
  assert.equal(delayOf(begun), undefined);
  await look();
  assert.equal(delayOf(begun), 7, "what Stripe refused is tried again");
  const work = await completedLive(live);
  await catchUp(live);
  for (const [days, delay] of [
    [29, 7],
    [31, undefined],
  ] as const) {
    await pool().query(
      "UPDATE transfer_intents SET sent_at = now() - make_interval(days => $2) WHERE provider_id = $1",
      [work.provider.publicId, days],
    );
    await look();
    assert.equal(delayOf(work.account), delay);
  }
});
