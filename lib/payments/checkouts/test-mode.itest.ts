import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { Chance } from "#stripe-stand-in/random.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { liveService, workerContext } from "#testing/live.ts";
import { copyAgreement } from "#testing/stories/plant.ts";
import { forAll, workAll } from "#testing/stories/post.ts";
import { did, taskAt } from "#testing/workflow.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import { sweepPayments } from "../reconciliation/sweep.ts";

/** `TEST_WORKFLOWS` plays more of them. */
const WORKFLOWS = Number(process.env.TEST_WORKFLOWS ?? 40);

const live = liveService();

test(`${WORKFLOWS} TEST workflows where LIVE is configured open no connection to Stripe`, async () => {
  const chance = new Chance("test-mode");
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  const model = await taskAt("accepted", parties, { amountPence: 500 });
  const amounts = Array.from({ length: WORKFLOWS }, () => chance.between(1, 99_999_999));
  const works = await copyAgreement(model, amounts);
  await forAll(works, async (work) => {
    await did(work.requester, "fund", work);
    await did(work.requester, "confirm", work);
    await did(work.provider, "start", work);
    await did(work.provider, "submit", work);
    await did(work.requester, "complete", work);
  });
  await sweepPayments(0);
  await workAll();
  await reconcile(workerContext());

  assert.deepEqual([live.stripe.connections, live.stripe.calls.length], [0, 0]);
  const { rows } = await pool().query(
    `SELECT transfer, count(*)::int AS count, sum(gross_pence)::bigint AS gross,
       (SELECT coalesce(sum(amount_pence), 0)::bigint FROM ledger_entries WHERE account = 'cash') AS cash, sum(fee_pence)::bigint AS fees
     FROM settlements WHERE task_id = ANY ($1) GROUP BY transfer`,
    [works.map(({ taskId }) => taskId)],
  );
  const gross = String(amounts.reduce((sum, amount) => sum + amount, 0));
  const [only] = rows;
  assert.deepEqual([rows.length, only.transfer, only.count, only.gross], [1, "simulated", WORKFLOWS, gross]);
  assert.equal(only.cash, only.fees);
});
