import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { callAs, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { at, newHost } from "#testing/hosts.ts";
import { claim, isAnyDue, wake } from "./queue.ts";
import type { Webhook } from "./schema.ts";

type Subscriber = { agent: TestAgent; url: string };

let subscribers: Subscriber[];
const service = testService({}, async () => {
  subscribers = await Promise.all([1, 2, 3, 4].map(subscriber));
});

const post = (agent: TestAgent, act: "" | "_replay", fields: object) =>
  callAs<{ webhook: z.output<typeof Webhook> }>(agent, "POST", `/api/v1/agents/webhook${act}.php`, { ...fields });

async function subscriber(): Promise<Subscriber> {
  const host = newHost();
  const [agent, url] = [await verifiedAgent(at(host)), `https://${host}/hook`];
  succeeded(await post(agent, "", { url }));
  return { agent, url };
}

const set = (assignments: string, { agent }: Subscriber) =>
  pool().query(`UPDATE webhooks SET ${assignments} WHERE identity_id = $1`, [agent.publicId]);

test("receivers that fail, are slow or are prompt are claimed from lanes of their own", async () => {
  const [prompt, slow, failing, recovered] = subscribers as [Subscriber, Subscriber, Subscriber, Subscriber];
  await set("pending = true, slow = true", slow);
  await set("pending = true, slow = true, failures = 3", failing);
  await set("pending = true, slow = true, failures = 0", recovered);
  const lanes = [];
  for (const lane of ["prompt", "slow", "failing"] as const)
    lanes.push(
      (await claim("test", new Date(Date.now() + 1_000), lane, 10)).map(({ identityId }) => identityId).sort(),
    );
  assert.deepEqual(lanes, [
    [prompt.agent.publicId],
    [slow.agent.publicId, recovered.agent.publicId].sort(),
    [failing.agent.publicId],
  ]);
  await pool().query("UPDATE webhooks SET slow = false, failures = 0, holder = NULL, held_until = NULL");
});

test("something is due only while a webhook that is enabled has something to deliver, and its time has come", async () => {
  const [one, ...others] = subscribers as [Subscriber, Subscriber, Subscriber, Subscriber];
  for (const other of others) await set("pending = false", other);
  const cases: [string, boolean][] = [
    ["pending = true, slow = false, enabled = true, due_at = now() - interval '1 second'", true],
    ["slow = true", true],
    ["due_at = now() + interval '1 minute'", false],
    ["due_at = now() - interval '1 second', pending = false", false],
    ["pending = true, enabled = false, disabled_reason = 'gone'", false],
    ["enabled = true, disabled_reason = NULL, slow = false", true],
  ];
  for (const [change, due] of cases) {
    await set(change, one);
    assert.equal(await isAnyDue(new Date()), due, change);
  }
});

test("forgotten webhooks are woken without waiting for one that is being changed", { timeout: 30_000 }, async () => {
  const ids = subscribers.map(({ agent }) => agent.publicId);
  await pool().query("UPDATE webhooks SET pending = false");
  await pool().query(
    "INSERT INTO event_recipients (recipient, position, type) SELECT id, 1000, 'task.claimed' FROM unnest($1::text[]) id",
    [ids],
  );
  const client = new pg.Client({ connectionString: service.url });
  await client.connect();
  const pending = async () =>
    (await pool().query("SELECT identity_id AS id FROM webhooks WHERE pending ORDER BY id")).rows.map(({ id }) => id);
  try {
    await client.query("BEGIN");
    await client.query("UPDATE webhooks SET signals = signals + 1 WHERE identity_id = $1", [ids[0]]);
    await wake();
    assert.deepEqual(await pending(), ids.slice(1).sort());
    await client.query("ROLLBACK");
  } finally {
    await client.end();
  }
  await wake();
  assert.deepEqual(await pending(), [...ids].sort());
});

const FAILING = "failures = 9, failing_since = now(), last_error = 'It answered 500.', slow = true";

test("a replay forgets that earlier deliveries failed", async () => {
  const [replayed] = subscribers as [Subscriber];
  await set(FAILING, replayed);
  const { body } = await post(replayed.agent, "_replay", { after: 0 });
  const { state, failing_since, last_error, next_attempt_at } = body.webhook;
  assert.deepEqual([state, failing_since, last_error, next_attempt_at], ["active", null, null, null]);
});

test("settings that are saved while deliveries fail give them the whole schedule again", async () => {
  const [, same, moved] = subscribers as [Subscriber, Subscriber, Subscriber];
  for (const each of [same, moved]) await set(FAILING, each);
  const [kept, fresh] = [
    await post(same.agent, "", { url: same.url }),
    await post(moved.agent, "", { url: `${moved.url}/elsewhere` }),
  ];
  assert.deepEqual([kept.body.webhook.state, fresh.body.webhook.state], ["failing", "active"]);
  const { rows } = await pool().query("SELECT failures FROM webhooks WHERE identity_id = ANY ($1)", [
    [same.agent.publicId, moved.agent.publicId],
  ]);
  assert.deepEqual(rows, [{ failures: 0 }, { failures: 0 }]);
});
