import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { cancelTransfer } from "#lib/admin/money/cancel-transfer.ts";
import { refund, sendTransfer } from "#lib/admin/money/move.ts";
import { readMoney } from "#lib/admin/page-reads/money.ts";
import { pool, prisma } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { admin, reason } from "#testing/administrator.ts";
import { catchUp, completedLive, fundedLive, liveService, settlementOf, work, workerContext } from "#testing/live.ts";
import { disputed } from "#testing/money-acts.ts";
import { startApiProcess } from "#testing/processes/processes.ts";
import { did } from "#testing/workflow.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { findAlerts } from "./find.ts";
import { escapeText, sendAlerts } from "./send.ts";

let receiver: Server;
let received: string[] = [];
let answer = { status: 200, location: "" };
/** Messages that the receiver does not take. */
let refused: RegExp | undefined;
const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret`;

const live = liveService({ settleSeconds: 0 }, async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    received.push(`${request.method} ${request.url} ${request.headers["content-type"]} ${body}`);
    response
      .writeHead(refused?.test(body) ? 400 : answer.status, answer.location ? { Location: answer.location } : {})
      .end("ok");
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  Object.assign(env(), { alertWebhookUrl: url() });
  return () => receiver.close();
});
beforeEach(() => {
  received = [];
  answer = { status: 200, location: "" };
  refused = undefined;
});

/** A transfer has been waiting for three days and an hour. */
const waitThreeDays = (settlementId: string) =>
  pool().query(
    `UPDATE transfer_intents SET created_at = created_at - interval '73 hours', not_before = not_before - interval '73 hours'
     WHERE settlement_id = $1`,
    [settlementId],
  );

const found = () => findAlerts(workerContext());
const texts = () => received.map((line) => (JSON.parse(line.slice(line.indexOf("{"))) as { text: string }).text);

test("chargebacks, refunds due, failed payouts, old held transfers and findings are each reported once", async () => {
  const chargedBack = await fundedLive(live);
  const due = await fundedLive(live);
  const paid = await completedLive(live);
  await catchUp(live);
  const held = await completedLive(live);
  await did(held.requester, "dispute", held);
  const dispute = live.stripe.openDispute(chargedBack.intent);
  await resolveDispute(admin, { disputeId: await disputed(due), resolution: "requester", reason });
  live.stripe.failPayout(live.stripe.payout(paid.account));
  await catchUp(live);
  live.stripe.world.platform.schedule = "daily";
  await reconcile(workerContext());
  const { settlement_id: id } = await settlementOf(held);
  assert.equal(await found(), 4);
  await waitThreeDays(id);
  assert.equal(await found(), 1);
  assert.equal(await found(), 0);
  await work();
  const alerts = texts();
  assert.equal(alerts.length, 5);
  for (const text of [
    /^New finding \(payout_schedule\)/,
    new RegExp(
      `^Chargeback of £20.01 .*answer it by ${new Date(Number(dispute.evidence_details.due_by) * 1000).toISOString()}`,
    ),
    /^Refund due: £20.01/,
    new RegExp(`^Payout po_\\w+ failed, with £18.00 for ${paid.provider.publicId}`),
    new RegExp(`^Transfer of £18.00 held over 3 days.*/admin/settlements/${id}`),
  ])
    assert.equal(alerts.filter((each) => text.test(each)).length, 1, String(text));
  assert.match(String(received[0]), /^POST \/secret application\/json \{"text":/);
  await sendAlerts(workerContext());
  assert.equal(received.length, 5);
});

test("a payout that fails and is replaced before anyone has looked is reported too, with each later one that fails", async () => {
  const work = await completedLive(live);
  await catchUp(live);
  const first = live.stripe.payout(work.account);
  live.stripe.failPayout(first);
  const second = live.stripe.payout(work.account);
  live.stripe.failPayout(second);
  live.stripe.payoutPaid(live.stripe.payout(work.account));
  await catchUp(live);
  assert.equal((await settlementOf(work)).payout, "paid");
  assert.equal(await found(), 2);
  assert.equal(await found(), 0);
  const said = (await prisma().alert.findMany({ where: { kind: "payout_failed" } })).map(({ subjectId }) => subjectId);
  for (const payout of [first, second]) assert.ok(said.includes(payout), payout);
  await sendAlerts(workerContext());
});

test("a message that is refused or redirected is kept and sent again, and the error does not name the address", async () => {
  const again = await fundedLive(live);
  live.stripe.openDispute(again.intent);
  await catchUp(live);
  assert.equal(await found(), 1);
  for (const [status, location] of [
    [500, ""],
    [404, ""],
    [302, url()],
  ] as const) {
    answer = { status, location };
    await assert.rejects(sendAlerts(workerContext()), (error: Error) => {
      assert.equal(error.message, `ALERT_WEBHOOK_URL answered with status ${status}.`);
      return true;
    });
  }
  assert.equal(received.length, 3, "no redirect is followed");
  answer = { status: 204, location: "" };
  await sendAlerts(workerContext());
  assert.equal(received.length, 4);
  await sendAlerts(workerContext());
  assert.equal(received.length, 4);
  Object.assign(env(), { alertWebhookUrl: "http://127.0.0.1:1/secret" });
  await pool().query("UPDATE alerts SET sent_at = NULL");
  await assert.rejects(sendAlerts(workerContext()), { message: "ALERT_WEBHOOK_URL could not be reached." });
  Object.assign(env(), { alertWebhookUrl: url() });
});

test("a message that is refused again and again is given up, and the later ones are sent", async () => {
  const [one, other] = [await fundedLive(live), await fundedLive(live)];
  const [first] = [live.stripe.openDispute(one.intent), live.stripe.openDispute(other.intent)];
  await catchUp(live);
  assert.equal(await found(), 2);
  await pool().query("UPDATE alerts SET sent_at = now() WHERE id <= (SELECT max(id) - 2 FROM alerts)");
  const { rows } = await pool().query("SELECT text FROM alerts WHERE kind = 'chargeback' AND subject_id = $1", [
    first?.id,
  ]);
  refused = new RegExp(rows[0].text.slice(-26));
  received = [];
  for (let time = 1; time < 5; time += 1) await assert.rejects(sendAlerts(workerContext()), /status 400/);
  await sendAlerts(workerContext());
  assert.equal(received.length, 6);
  await sendAlerts(workerContext());
  assert.equal(received.length, 6);
});

test("a refund that a split owes is reported with its amount, and again if another one becomes due", async () => {
  const split = await fundedLive(live);
  const disputeId = await disputed(split);
  await resolveDispute(admin, { disputeId, resolution: "split", providerPence: 1_001, reason });
  await catchUp(live);
  assert.equal(await found(), 0);
  const { settlement_id: settlementId } = await settlementOf(split);
  const failLast = async () => {
    const made = [...live.stripe.world.refunds.values()].findLast(({ status }) => status === "succeeded");
    live.stripe.failRefund(made?.id ?? "");
    await catchUp(live);
  };
  await failLast();
  const { refundsDue } = await readMoney(new Date());
  assert.deepEqual(
    refundsDue.filter((each) => each.settlementId === settlementId).map(({ pence }) => pence),
    [1_000],
  );
  assert.deepEqual([await found(), await found()], [1, 0]);
  await refund(admin, { settlementId, pence: 400, reason });
  await refund(admin, { settlementId, pence: 600, reason });
  assert.equal(await found(), 0);
  await failLast();
  assert.deepEqual([await found(), await found()], [1, 0]);
  await work();
  assert.deepEqual(
    texts().map((text) => /^Refund due: (\S+)/.exec(text)?.[1]),
    ["£10.00", "£6.00"],
  );
});

test("a chargeback that is over when it is first seen is reported once, with what is gone", async () => {
  const [lost, won, prevented] = [await fundedLive(live), await fundedLive(live), await fundedLive(live)];
  live.stripe.openDispute(lost.intent, { decided: "lost" });
  live.stripe.closeDispute(live.stripe.openDispute(won.intent).id, "won");
  live.stripe.openDispute(prevented.intent, { decided: "prevented" });
  await catchUp(live);
  assert.deepEqual([await found(), await found()], [3, 0]);
  await work();
  const alerts = texts().map((text) => text.replace(/ http.*/, ""));
  assert.deepEqual(alerts.sort(), [
    "Chargeback of £20.01 (lost): it is over, and £20.01 is gone.",
    "Chargeback of £20.01 (prevented): it is over, and £20.01 is gone.",
    "Chargeback of £20.01 (won): it is over, and £0.00 is gone.",
  ]);
});

test("a second transfer that is held is reported too", async () => {
  const held = await completedLive(live);
  const { settlement_id: settlementId } = await settlementOf(held);
  await waitThreeDays(settlementId);
  assert.equal(await found(), 1);
  await cancelTransfer(admin, { settlementId, reason });
  await sendTransfer(admin, { settlementId, reason });
  await waitThreeDays(settlementId);
  assert.equal(await found(), 1);
});

/** Two chargebacks of each kind, as they are first seen. */
async function chargebacks(): Promise<string[]> {
  const ids: string[] = [];
  for (const decided of ["lost", "prevented", undefined] as const)
    for (const _ of ["one", "another"])
      ids.push(live.stripe.openDispute((await fundedLive(live)).intent, decided ? { decided } : {}).id);
  return ids;
}

const WORKERS = 3;

test(`with ${WORKERS} processes doing the background work, every chargeback is reported exactly once`, async () => {
  const disputes = await chargebacks();
  await catchUp(live);
  received = [];
  const start = () => startApiProcess({ ALERT_WEBHOOK_URL: url() }, { worker: true });
  const processes = await Promise.all(Array.from({ length: WORKERS }, start));
  try {
    // As if many minutes came at once: every process looks for news, several times.
    await pool().query(
      "SELECT graphile_worker.add_job('find-alerts', job_key => 'alerts:' || n) FROM generate_series(1, $1) n",
      [WORKERS * 5],
    );
    const open = async () => {
      const { rows } = await pool().query(
        `SELECT (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier IN ('find-alerts', 'send-alerts'))
           + (SELECT count(*) FROM alerts WHERE sent_at IS NULL AND failed_at IS NULL) + $2
           - (SELECT count(*) FROM alerts WHERE kind = 'chargeback' AND subject_id = ANY ($1)) AS open`,
        [disputes, disputes.length],
      );
      return Number(rows[0].open);
    };
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
  const alerts = texts().filter((text) => text.startsWith("Chargeback"));
  assert.equal(alerts.length, disputes.length);
  assert.equal(new Set(alerts).size, disputes.length, alerts.join("\n"));
});

test("without an address nothing is written and nobody is called", async () => {
  Object.assign(env(), { alertWebhookUrl: undefined });
  await pool().query("DELETE FROM alerts");
  assert.equal(await found(), 0);
  await sendAlerts(workerContext());
  assert.equal(received.length, 0);
});

test("text cannot contain marks of the receiver", () => {
  assert.equal(escapeText("<!channel> & <a|b>"), "&lt;!channel&gt; &amp; &lt;a|b&gt;");
});
