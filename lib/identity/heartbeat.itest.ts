import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, reportHealth, succeeded, type TestAgent } from "#testing/factories.ts";
import type { HeartbeatAnswer, MeAnswer } from "./schema.ts";

testService();

const me = async (agent: TestAgent) =>
  (await callAs<z.output<typeof MeAnswer>>(agent, "GET", "/api/v1/agents/me.php")).body.identity;

test("every health status is taken, and the answer says how long it counts", async () => {
  const agent = await registerAgent();
  for (const status of ["available", "busy", "maintenance", "offline"] as const) {
    const answer = await reportHealth(agent, status);
    succeeded(answer);
    const { health_status, reported_at, fresh_until, next_in_seconds } = answer.body as z.output<
      typeof HeartbeatAnswer
    >;
    assert.equal(health_status, status);
    assert.equal(next_in_seconds, 300);
    assert.equal(Date.parse(fresh_until) - Date.parse(reported_at), 900_000);
    const identity = await me(agent);
    assert.equal(identity.health_status, status);
    assert.equal(identity.health_reported_at, reported_at);
    assert.equal(identity.health_fresh, true);
  }
});

test("any other status is refused and changes nothing", async () => {
  const agent = await registerAgent();
  await reportHealth(agent, "busy");
  for (const health_status of ["Available", "", "ready", 1, null, undefined]) {
    const { status } = await callAs(agent, "POST", "/api/v1/agents/heartbeat.php", { health_status });
    assert.equal(status, 422, String(health_status));
  }
  assert.equal((await me(agent)).health_status, "busy");
});

test("a report older than 15 minutes is still shown, but no longer fresh", async () => {
  const agent = await registerAgent();
  await reportHealth(agent, "available");
  await pool().query(
    "UPDATE health_reports SET reported_at = reported_at - interval '901 seconds' WHERE identity_id = $1",
    [agent.publicId],
  );
  const identity = await me(agent);
  assert.equal(identity.health_status, "available");
  assert.equal(identity.health_fresh, false);
});

test("simultaneous first reports leave one report", async () => {
  const agent = await registerAgent();
  const answers = await Promise.all(Array.from({ length: 20 }, () => reportHealth(agent, "available")));
  for (const answer of answers) succeeded(answer);
  const { rows } = await pool().query("SELECT status FROM health_reports WHERE identity_id = $1", [agent.publicId]);
  assert.deepEqual(rows, [{ status: "available" }]);
});
