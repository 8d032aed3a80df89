import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { admin, reason } from "#lib/testing/administrator.ts";
import {
  catchUp,
  completedLive,
  fundedLive,
  type Live,
  settlementOf,
  startLive,
  work,
  workerContext,
} from "#lib/testing/live.ts";
import { did } from "#lib/testing/workflow.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { findAlerts } from "./find.ts";
import { escapeText, sendAlerts } from "./send.ts";

let live: Live;
let receiver: Server;
let received: string[] = [];
let answer = { status: 200, location: "" };
const url = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret`;

before(async () => {
  live = await startLive({ settleSeconds: 0 });
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    received.push(`${request.method} ${request.url} ${request.headers["content-type"]} ${body}`);
    response.writeHead(answer.status, answer.location ? { Location: answer.location } : {}).end("ok");
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  Object.assign(env(), { alertWebhookUrl: url() });
});
after(async () => {
  receiver.close();
  await live.stop();
});
beforeEach(() => {
  received = [];
  answer = { status: 200, location: "" };
});

const found = () => findAlerts(workerContext());
const texts = () => received.map((line) => (JSON.parse(line.slice(line.indexOf("{"))) as { text: string }).text);

test("chargebacks, refunds due, failed payouts, old held transfers and findings are each told once", async () => {
  const disputed = await fundedLive(live);
  const due = await fundedLive(live);
  const paid = await completedLive(live);
  await catchUp(live);
  const held = await completedLive(live);
  await did(held.requester, "dispute", held);
  const dispute = live.stripe.openDispute(disputed.intent);
  const { dispute: ours } = await did(due.provider, "dispute", due);
  await resolveDispute(admin, { disputeId: ours?.dispute_id ?? "", resolution: "requester", reason });
  live.stripe.failPayout(live.stripe.payout(paid.account));
  await catchUp(live);
  live.stripe.world.platform.schedule = "daily";
  await reconcile(workerContext());
  const { settlement_id: id } = await settlementOf(held);
  assert.equal(await found(), 4);
  await pool().query(
    "UPDATE transfer_intents SET created_at = created_at - interval '73 hours' WHERE settlement_id = $1",
    [id],
  );
  assert.equal(await found(), 1);
  assert.equal(await found(), 0);
  await work();
  const told = texts();
  assert.equal(told.length, 5);
  for (const text of [
    /^New finding \(payout_schedule\)/,
    new RegExp(
      `^Chargeback of £20.01 .*answer it by ${new Date(Number(dispute.evidence_details.due_by) * 1000).toISOString()}`,
    ),
    /^Refund due: £20.01/,
    new RegExp(`^Payout po_\\w+ failed, with £18.00 for ${paid.provider.publicId}`),
    new RegExp(`^Transfer of £18.00 held over 3 days.*/admin/settlements/${id}`),
  ])
    assert.equal(told.filter((each) => text.test(each)).length, 1, String(text));
  assert.match(String(received[0]), /^POST \/secret application\/json \{"text":/);
  await sendAlerts(workerContext());
  assert.equal(received.length, 5);
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
