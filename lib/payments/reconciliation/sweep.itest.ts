import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { BALANCE_INSUFFICIENT } from "#lib/settlements/holds.ts";
import { completedLive, liveService } from "#testing/live.ts";
import { sweepPayments } from "./sweep.ts";

const live = liveService();

test("more work than fits one sweep is enqueued in turn, however often all of it fails", async () => {
  await pool().query(
    `INSERT INTO stripe_events (id, endpoint, type, livemode, state, created_at, received_at)
     SELECT 'evt_' || n, 'platform', 'refund.updated', false, 'failed', now(), now() - make_interval(mins => 2000 - n)
     FROM generate_series(1, 1200) n`,
  );
  const planned: number[] = [];
  for (let sweep = 0; sweep < 3; sweep += 1) {
    await sweepPayments(0);
    // As if a worker had tried all of them in vain before the next sweep.
    await pool().query("UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'refused'");
    const { rows } = await pool().query(
      "SELECT count(*)::int AS jobs, max(revision) - min(revision) AS lead FROM graphile_worker.jobs",
    );
    assert.ok(rows[0].lead <= 1, "none is planned a second time while another has fewer turns");
    planned.push(rows[0].jobs);
  }
  assert.ok(Number(planned[0]) < 1_200);
  assert.equal(planned.at(-1), 1_200);
});

test("a job that has not been tried yet keeps its place in the queue", async () => {
  const waiting = "SELECT run_at FROM graphile_worker.jobs WHERE key = 'event:evt_1'";
  await pool().query("DELETE FROM graphile_worker._private_jobs");
  await pool().query("DELETE FROM stripe_events WHERE id <> 'evt_1'");
  await sweepPayments(0);
  const { rows: before } = await pool().query(waiting);
  await sweepPayments(0);
  assert.equal(before.length, 1);
  assert.deepEqual((await pool().query(waiting)).rows, before);
});

test("a transfer that Stripe keeps refusing is tried less and less often, at least daily; whether the balance suffices is read as before", async () => {
  await completedLive(live);
  const planned = async (problem: string, attempt: number, minutes: number) => {
    await pool().query("DELETE FROM graphile_worker._private_jobs");
    await pool().query(
      "UPDATE transfer_intents SET problem = $1, attempt = $2, checked_at = now() - make_interval(mins => $3), created_at = now() - interval '9 days'",
      [problem, attempt, minutes],
    );
    await sweepPayments(20);
    const { rows } = await pool().query("SELECT FROM graphile_worker.jobs WHERE key LIKE 'transfer:%'");
    return rows.length === 1;
  };
  for (const [attempt, minutes] of [
    [2, 10],
    [3, 20],
    [5, 80],
    [9, 1_280],
    [10, 1_440],
    [500, 1_440],
  ] as const) {
    assert.equal(await planned("amount_too_small", attempt, minutes - 1), false, `attempt ${attempt}`);
    assert.equal(await planned("amount_too_small", attempt, minutes + 1), true, `attempt ${attempt}`);
  }
  assert.equal(await planned(BALANCE_INSUFFICIENT, 9, 11), true);
});
