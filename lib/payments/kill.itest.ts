import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { refund } from "#lib/admin/money/move.ts";
import { apiListener } from "#lib/api/listener.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import {
  agreedLive,
  CONTACT,
  catchUp,
  completedLive,
  fundedLive,
  liveService,
  movedAtStripe,
  sessionsOf,
  settlementOf,
  withoutStripe,
} from "#testing/live.ts";
import { type ApiProcess, type HttpAnswer, request, startApiProcess } from "#testing/processes/processes.ts";
import { did } from "#testing/workflow.ts";

const started: ApiProcess[] = [];
/** Answers calls in this process. */
const here = createServer(apiListener());
const live = liveService({}, async () => {
  await new Promise<void>((done) => here.listen(0, "127.0.0.1", done));
  return async () => {
    here.closeAllConnections();
    here.close();
    await Promise.all(started.map((process) => process.kill()));
  };
});

/** A process of the service with its background work, on the database and the stand-in of this test. */
async function start(): Promise<ApiProcess> {
  const process = await startApiProcess({}, { worker: true });
  started.push(process);
  return process;
}

/** Begins something in one process and kills that while its call of Stripe is under way. */
async function killDuring(
  call: string,
  when: "before" | "after",
  begin: (url: string) => Promise<unknown>,
): Promise<void> {
  const process = await start();
  const { reached, release } = live.stripe.pause(call, when);
  const begun = begin(process.url).catch(() => undefined);
  await reached;
  await process.kill();
  await begun;
  release();
}

const ownUrl = () => `http://127.0.0.1:${(here.address() as AddressInfo).port}`;

async function stateOf(actId: string): Promise<string> {
  const { rows } = await pool().query("SELECT state FROM money_acts WHERE id = $1", [actId]);
  return rows[0].state;
}

/** Asks until it is answered as it should be; meanwhile the service may say that it is not ready. */
async function insist(ask: () => Promise<HttpAnswer>, status: number): Promise<HttpAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    assert.ok([409, 503].includes(answer.status), JSON.stringify(answer.body));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const when of ["before", "after"] as const) {
  test(`killed ${when} Stripe has opened a checkout, the service has one for the payer who asks again`, async () => {
    const deal = await agreedLive(live);
    const { requester, contractId } = deal;
    const ask = (url: string) =>
      request(url, "POST", "payments/intent.php", {
        token: requester.token,
        fields: { public_id: requester.publicId, contract_id: contractId },
        headers: { "Idempotency-Key": `kill-${contractId}` },
      });
    await killDuring("POST /v1/checkout/sessions", when, ask);
    const { body } = await insist(() => ask(ownUrl()), 201);
    const url = (body.payment as { checkout_url: string }).checkout_url;
    assert.deepEqual(
      sessionsOf(live, deal).map((session) => session.url),
      [url],
    );
  });

  test(`killed ${when} Stripe has made an account, the service has one for the provider who asks again`, async () => {
    const agent: TestAgent = await verifiedAgent();
    const ask = (url: string) =>
      request(url, "POST", "payments/account.php", {
        token: agent.token,
        fields: { public_id: agent.publicId, ...CONTACT },
      });
    await killDuring("POST /v2/core/accounts", when, ask);
    await insist(() => ask(ownUrl()), 200);
    const made = [...live.stripe.world.accounts.values()].filter(
      ({ metadata }) => metadata.guildhall_public_id === agent.publicId,
    );
    assert.equal(made.length, 1);
  });

  test(`killed ${when} Stripe has made a refund that an administrator ordered, it is made once and recorded`, async () => {
    const work = await completedLive(live);
    await catchUp(live);
    const { settlement_id: settlementId } = await settlementOf(work);
    const actId = newId("act");
    // Only recorded here: the running process carries it out.
    const order = () => withoutStripe(() => refund(admin, { settlementId, pence: 700, actId, reason }));
    await killDuring("POST /v1/refunds", when, order);
    const next = await start();
    while ((await stateOf(actId)) !== "done") await new Promise((resolve) => setTimeout(resolve, 50));
    const made = [...live.stripe.world.refunds.values()].filter(({ metadata }) => metadata?.guildhall_act === actId);
    assert.equal(made.length, 1);
    await next.stop();
  });

  test(`killed ${when} Stripe has sent a transfer, the service has sent it once and knows it`, async () => {
    const work = await fundedLive(live);
    await did(work.provider, "start", work);
    await did(work.provider, "submit", work);
    const complete = (url: string) =>
      request(url, "POST", "jobs/complete.php", {
        token: work.requester.token,
        fields: { public_id: work.requester.publicId, task_id: work.taskId },
        headers: { "Idempotency-Key": newId("req") },
      });
    await killDuring("POST /v1/transfers", when, complete);
    const next = await start();
    const { settlement_id: id } = await settlementOf(work);
    while ((await settlementOf(work)).transfer !== "sent") await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(movedAtStripe(live, id).transfers.length, 1);
    const { rows } = await pool().query(
      "SELECT count(*)::int AS count FROM ledger_transactions WHERE settlement_id = $1 AND kind = 'transfer'",
      [id],
    );
    assert.deepEqual(rows, [{ count: 1 }]);
    await next.stop();
  });
}
