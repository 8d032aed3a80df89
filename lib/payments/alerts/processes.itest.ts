import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { catchUp, fundedLive, liveService } from "#testing/live.ts";
import { type ApiProcess, startApiProcess } from "#testing/processes/processes.ts";

// Chargebacks are reported once each, however many processes do the background work of one database.

let receiver: Server;
let received: string[] = [];
const live = liveService({}, async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    received.push(JSON.parse(body).text);
    response.end("ok");
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  return () => receiver.close();
});

const ALERTS = () => ({ ALERT_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` });

/** Two chargebacks of each kind, as they are first seen. */
async function chargebacks(): Promise<string[]> {
  const ids: string[] = [];
  for (const decided of ["lost", "prevented", undefined] as const)
    for (const _ of ["one", "another"])
      ids.push(live.stripe.openDispute((await fundedLive(live)).intent, decided ? { decided } : {}).id);
  return ids;
}

for (const [arrangement, workers] of [
  ["one process", 1],
  ["two processes", 2],
  ["four processes", 4],
] as const)
  test(`with ${arrangement} doing the background work, every chargeback is reported exactly once`, async () => {
    const disputes = await chargebacks();
    await catchUp(live);
    received = [];
    const processes: ApiProcess[] = [];
    try {
      for (let at = 0; at < workers; at += 1) processes.push(await startApiProcess(ALERTS(), { worker: true }));
      // As if many minutes came at once: every process looks for news, several times.
      await pool().query(
        "SELECT graphile_worker.add_job('find-alerts', job_key => 'alerts:' || n) FROM generate_series(1, $1) n",
        [workers * 5],
      );
      const open = async () => {
        const { rows } = await pool().query(
          `SELECT (SELECT count(*) FROM graphile_worker.jobs WHERE task_identifier IN ('find-alerts', 'send-alerts'))
             + (SELECT count(*) FROM alerts WHERE sent_at IS NULL) + $2
             - (SELECT count(*) FROM alerts WHERE kind = 'chargeback' AND subject_id = ANY ($1)) AS open`,
          [disputes, disputes.length],
        );
        return Number(rows[0].open);
      };
      while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await Promise.all(processes.map((process) => process.stop()));
    }
    const alerts = received.filter((text) => text.startsWith("Chargeback"));
    assert.equal(alerts.length, disputes.length);
    assert.equal(new Set(alerts).size, disputes.length, alerts.join("\n"));
  });
