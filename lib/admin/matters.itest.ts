import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { findStripeEvent } from "#lib/payments/read.ts";
import { recordOf, signedInAdministrator, type TestAdministrator } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { actAsOwner, member, publish } from "#testing/community.ts";
import { registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner, type TestOwner } from "#testing/owner.ts";
import { did, storedState, taskAt } from "#testing/workflow.ts";
import { effectOf } from "./money/resolution.ts";
import { findDispute } from "./page-reads/disputes.ts";
import { findJob, listJobs } from "./page-reads/queue.ts";
import { findReport, listReports } from "./page-reads/reports.ts";
import { findSettlement } from "./page-reads/settlements.ts";
import { readWholeTask } from "./page-reads/tasks.ts";
import * as schema from "./schema.ts";

let administrator: TestAdministrator;
testService({}, async () => {
  administrator = await signedInAdministrator();
});

test("dismissing a report is audited and keeps the post; withdrawing the post upholds open reports", async () => {
  const [author, one, two] = [await member(), await signedInOwner(), await signedInOwner()];
  const post = await publish(author, { title: "Spam", body: "Buy" });
  const report = async (by: TestOwner) => {
    const answer = await actAsOwner<{ report_id: string }>(by, "report", { post_id: post.post_id, reason: "Spam." });
    return answer.body.report_id;
  };
  const [first, second] = [await report(one), await report(two)];
  assert.equal((await findReport(first))?.reporterEmail, one.email);
  succeeded(await administrator.act("dismiss_report", { report_id: first }));
  assert.equal((await administrator.act("dismiss_report", { report_id: first })).error?.code, "state_conflict");
  assert.deepEqual([(await findReport(first))?.state, (await findReport(first))?.body], ["dismissed", "Buy"]);
  const { rows: reports } = await listReports(schema.ReportsQuery.parse({ limit: "100" }));
  assert.deepEqual(
    reports.filter(({ subjectId }) => subjectId === post.post_id).map(({ id }) => id),
    [second],
  );
  succeeded(await administrator.act("withdraw_post", { post_id: post.post_id }));
  assert.deepEqual([(await findReport(first))?.state, (await findReport(second))?.state], ["dismissed", "upheld"]);
  assert.equal((await recordOf(first))[0]?.action, "dismiss");
  assert.equal((await administrator.act("dismiss_report", { report_id: newId("rpt") })).error?.code, "not_found");
});

test("the announced effect of a resolution is its actual effect, from every state", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  for (const state of ["claimed", "proposed", "accepted", "in_progress", "submitted"] as const) {
    for (const resolution of ["provider", "requester"] as const) {
      const work = await taskAt(state, { requester, provider });
      const { dispute } = await did(provider, "dispute", work);
      const dispute_id = dispute?.dispute_id ?? "";
      const before = await readWholeTask(administrator.ctx, work.taskId);
      assert.ok(before);
      const effect = effectOf({ resolution }, { taskState: before.row.state, money: before.money });
      succeeded(await administrator.act("resolve_dispute", { dispute_id, resolution }));
      assert.equal(
        (await administrator.act("resolve_dispute", { dispute_id, resolution })).error?.code,
        "state_conflict",
      );
      assert.equal((await findDispute(dispute_id))?.resolution, resolution);
      assert.equal(await storedState(work.taskId), effect.task ?? state);
      const settlement = before.settlement && (await findSettlement(before.settlement.settlement_id));
      assert.equal(settlement?.settlement.state, before.settlement ? (effect.settlement ?? "recorded") : undefined);
      const due = settlement?.bookings
        .flatMap(({ entries }) => entries)
        .filter(({ account }) => account === "refund_due")
        .reduce((sum, { amountPence }) => sum - amountPence, 0);
      assert.equal(due ?? 0, effect.refundDuePence, `${state} for the ${resolution}`);
    }
  }
});

test("a failed job is retried with fresh attempts or removed; a running one is not touched", async () => {
  const plant = async (set: string) => {
    const { rows } = await pool().query(
      "SELECT id::text FROM graphile_worker.add_job('recheck-domain', '{}', run_at => now() + interval '1 day')",
    );
    await pool().query(`UPDATE graphile_worker._private_jobs SET ${set} WHERE id = $1`, [rows[0].id]);
    return rows[0].id as string;
  };
  const failed = await plant("attempts = 25, last_error = 'Boom'");
  const running = await plant("locked_at = now(), locked_by = 'someone'");
  assert.deepEqual([(await findJob(failed))?.state, (await findJob(running))?.state], ["failed", "running"]);
  const { rows: jobs } = await listJobs(schema.JobsQuery.parse({ state: "failed" }));
  assert.deepEqual(
    jobs.map(({ id }) => id),
    [failed],
  );
  succeeded(await administrator.act("retry_job", { job_id: failed }));
  const again = await findJob(failed);
  assert.deepEqual([again?.attempts, (again?.runAt ?? new Date(0)) <= new Date()], [0, true]);
  succeeded(await administrator.act("remove_job", { job_id: failed }));
  assert.equal(await findJob(failed), undefined);
  assert.deepEqual(
    (await recordOf(failed)).map(({ action, data }) => [action, data?.last_error]),
    [
      ["remove_job", "Boom"],
      ["retry_job", "Boom"],
    ],
  );
  for (const name of ["retry_job", "remove_job"]) {
    assert.equal((await administrator.act(name, { job_id: running })).error?.code, "state_conflict");
    assert.equal((await administrator.act(name, { job_id: failed })).error?.code, "not_found");
  }
});

test("a Stripe event is processed again, with an audited reason", async () => {
  await pool().query(
    `INSERT INTO stripe_events (id, endpoint, type, livemode, state, problem, created_at, received_at, processed_at)
     VALUES ('evt_1abc', 'platform', 'charge.refunded', true, 'failed', 'Stripe: unreachable', now(), now(), now())`,
  );
  succeeded(await administrator.act("retry_event", { event_id: "evt_1abc", reason: "Stripe is back." }));
  const event = await findStripeEvent("evt_1abc");
  assert.deepEqual([event?.state, event?.problem, event?.processedAt], ["received", null, null]);
  const { rowCount } = await pool().query("SELECT FROM graphile_worker._private_jobs WHERE key = 'event:evt_1abc'");
  assert.equal(rowCount, 1);
  assert.deepEqual(
    (await recordOf("evt_1abc")).map(({ action, reason }) => [action, reason]),
    [["retry_event", "Stripe is back."]],
  );
  assert.equal((await administrator.act("retry_event", { event_id: "evt_2" })).error?.code, "not_found");
  assert.equal((await administrator.act("retry_event", { event_id: "nonsense" })).status, 422);
});
