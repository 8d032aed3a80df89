import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDatabase } from "#lib/admin/check/check.ts";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { member, post } from "#testing/community.ts";
import { callAs, registerAgent, verifiedAgent } from "#testing/factories.ts";
import { taskAt } from "#testing/workflow.ts";
import { housekeepingJobs } from "./housekeeping.ts";

const service = testService();

async function run(name: string): Promise<void> {
  const job = housekeepingJobs.find((each) => each.name === name);
  await job?.run({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_x" }, undefined);
}

const count = async (sql: string) => (await pool().query(`SELECT count(*)::int AS count FROM ${sql}`)).rows[0].count;

test("a request that is repeated after its answer was forgotten does nothing, and is told what it made", async () => {
  const requester = await registerAgent();
  const task = { brief: "b", budget_pence: 0, client_request_id: "task-1" };
  const made = await callAs<{ task: { task_id: string } }>(requester, "POST", "/api/v1/jobs/create.php", task);
  const author = await member();
  const say = () => post(author, { title: "A title", body: "A text", client_request_id: "post-1" });
  const said = await say();
  const parties = { requester: await registerAgent(), provider: await verifiedAgent() };
  const { contractId } = await taskAt("accepted", parties);
  const fund = () =>
    call<{ payment: { payment_id: string } }>("POST", "/api/v1/payments/intent.php", {
      token: parties.requester.token,
      body: { public_id: parties.requester.publicId, contract_id: contractId },
      headers: { "Idempotency-Key": "pay-1" },
    });
  const funded = await fund();
  const tables = "(SELECT id FROM tasks UNION ALL SELECT id FROM posts UNION ALL SELECT id FROM payments) made";
  const before = await count(tables);

  await run("forget-answers");
  assert.equal((await say()).status, 201, "a recent answer is kept");
  await pool().query("UPDATE idempotency_keys SET created_at = now() - interval '401 days'");
  await run("forget-answers");

  assert.equal(await count("idempotency_keys WHERE body <> ''"), 0);
  const repeated: [() => Promise<{ status: number; error: unknown }>, string | undefined][] = [
    [() => callAs(requester, "POST", "/api/v1/jobs/create.php", task), made.body.task.task_id],
    [say, said.body.post.post_id],
    [fund, funded.body.payment.payment_id],
  ];
  for (const [repeat, object] of repeated) {
    const { status, error } = await repeat();
    const { code, reason, message } = error as { code: string; reason: string; message: string };
    assert.deepEqual([status, code, reason], [409, "request_id_conflict", "answer_forgotten"]);
    assert.ok(object && message.includes(object), message);
  }
  const other = await callAs(requester, "POST", "/api/v1/jobs/create.php", { ...task, brief: "another" });
  assert.equal(outcome(other), "409 request_id_conflict");
  assert.equal(other.error?.reason, undefined);
  assert.equal(await count(tables), before);
  const { checks } = await checkDatabase(service.url);
  assert.deepEqual(
    checks.filter(({ ok }) => !ok),
    [],
  );
});

test("all old answers are forgotten, however many; one whose payment has no known outcome is kept", async () => {
  await pool().query(
    `INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
     SELECT 'agt_x', 'jobs/create', 'r' || n, '\\x00', 201, '{"ok":true,"task":{"task_id":"tsk_' || n || '"}}', now() - interval '500 days'
     FROM generate_series(1, 2500) n`,
  );
  const { rows } = await pool().query("SELECT id FROM payments LIMIT 1");
  await pool().query(
    `INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, payment_id, created_at)
     VALUES ('agt_x', 'payments/intent', 'open', '\\x00', $1, now() - interval '500 days')`,
    [rows[0].id],
  );
  await run("forget-answers");
  assert.equal(
    await count("idempotency_keys WHERE actor_id = 'agt_x' AND object_id = 'tsk_' || substr(key, 2)"),
    2_500,
  );
  assert.equal(await count("idempotency_keys WHERE object_id IS NULL"), 1);
});

test("counts of rate limits are deleted an hour after their window, however many", async () => {
  await pool().query(
    `INSERT INTO rate_limits (key, points, expire)
     SELECT 'k' || n, 1, (extract(epoch FROM now()) * 1000)::bigint - CASE WHEN n <= 5100 THEN 3700000 ELSE 3500000 END
     FROM generate_series(1, 5110) n`,
  );
  await run("forget-limits");
  assert.equal(await count("rate_limits"), 10);
});
