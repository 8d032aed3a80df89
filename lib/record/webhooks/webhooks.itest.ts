import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { withClient } from "#lib/db/with-client.ts";
import { type Answer, forFile, outcome } from "#testing/client.ts";
import {
  delivered,
  happen,
  me,
  receiverAt,
  resetClock,
  restartDispatchers,
  type Saved,
  show,
  startDeliveries,
  stopDispatchers,
  subscriber,
  typesOf,
  verify,
  wait,
  webhook,
} from "#testing/deliveries.ts";
import { registerAgent, setDomainStatus, succeeded, verifiedAgent } from "#testing/factories.ts";
import { at, newHost } from "#testing/hosts.ts";
import { readHead } from "../read.ts";
import { wake } from "./deliver.ts";
import { forgetDeliveries } from "./deliveries.ts";
import type * as schema from "./schema.ts";

const service = forFile(startDeliveries);
beforeEach(resetClock);

test("events arrive in order, signed for the official verifier, and the cursor follows", async () => {
  const other = await verifiedAgent();
  const { agent, receiver, secret } = await subscriber();
  const head = await happen([agent, other], "task.claimed", "task.started");
  await delivered();
  assert.deepEqual(typesOf(receiver), ["task.claimed", "task.started"]);
  const [first] = receiver.received;
  assert.ok(first);
  const { type, timestamp, data } = verify(secret, first);
  assert.deepEqual(
    { type, timestamp, id: first.headers["webhook-id"] },
    { type: data.type, timestamp: data.at, id: data.event_id },
  );
  assert.deepEqual(Object.keys(data), ["position", "event_id", "type", "at", "subject", "task_id", "actor", "data"]);
  assert.equal(first.headers["content-type"], "application/json");
  const { webhook: state, deliveries } = await show(agent);
  assert.deepEqual(state, {
    url: `https://${receiver.host}/hook?from=us`,
    types: [],
    enabled: true,
    state: "active",
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
    cursor: head,
  });
  assert.deepEqual(
    deliveries.map(({ attempt, status, outcome: came }) => [attempt, status, came]),
    [
      [1, 204, "delivered"],
      [1, 204, "delivered"],
    ],
  );
  assert.equal(deliveries.at(-1)?.event_id, first.headers["webhook-id"]);
});

test("a webhook starts at the end and gets only the types that it asks for", async () => {
  const host = newHost();
  const agent = await verifiedAgent(at(host));
  await happen([agent], "task.claimed");
  const receiver = await receiverAt(host);
  succeeded(await webhook(agent, "", { url: `https://${host}/`, types: ["post.*", "task.started", "post.*"] }));
  const head = await happen([agent], "task.claimed", "post.replied", "task.started", "task.claimed");
  await delivered();
  assert.deepEqual(typesOf(receiver), ["post.replied", "task.started"]);
  const { webhook: state } = await show(agent);
  assert.deepEqual([state?.types, state?.cursor], [["post.*", "task.started"], head]);
});

test("a failed delivery is repeated with the same ID and blocks later ones of its identity only", async () => {
  const [broken, sound] = [await subscriber(), await subscriber()];
  broken.receiver.answer = (response) => void response.writeHead(500).end("secret words of the receiver");
  await happen([broken.agent, sound.agent], "task.claimed", "task.started");
  await delivered();
  assert.deepEqual(typesOf(sound.receiver), ["task.claimed", "task.started"]);
  assert.deepEqual(typesOf(broken.receiver), ["task.claimed"]);
  const { webhook: state, deliveries } = await show(broken.agent);
  assert.equal(state?.state, "failing");
  assert.ok(state.failing_since && state.next_attempt_at);
  assert.match(state.last_error ?? "", /answered with status 500/);
  const untilNext = Date.parse(state.next_attempt_at) - Date.parse(deliveries[0]?.at ?? "");
  assert.ok(untilNext >= 5_000 && untilNext < 6_000, `${untilNext}`);
  assert.deepEqual([deliveries[0]?.attempt, deliveries[0]?.status, deliveries[0]?.outcome], [1, 500, "status"]);

  await wait(4);
  assert.equal(broken.receiver.received.length, 1);
  await wait(2);
  assert.equal(broken.receiver.received.length, 2);
  assert.equal(broken.receiver.received[0]?.headers["webhook-id"], broken.receiver.received[1]?.headers["webhook-id"]);
  broken.receiver.answer = (response) => void response.writeHead(200).end("ok");
  await wait(301);
  assert.deepEqual(typesOf(broken.receiver), ["task.claimed", "task.claimed", "task.claimed", "task.started"]);
  const healed = await show(broken.agent);
  assert.deepEqual(
    [healed.webhook?.state, healed.webhook?.failing_since, healed.webhook?.last_error],
    ["active", null, null],
  );
  assert.deepEqual(
    healed.deliveries.map(({ attempt }) => attempt),
    [1, 3, 2, 1],
  );
});

test("a webhook that was disabled says why in me.php, and continues at the same event when it is enabled", async () => {
  const cases = [
    { failures: 0, status: 410, reason: "gone" },
    { failures: 9, status: 500, reason: "exhausted" },
  ];
  for (const { failures, status, reason } of cases) {
    const { agent, receiver } = await subscriber();
    receiver.answer = (response) => void response.writeHead(status).end();
    await pool().query("UPDATE webhooks SET failures = $2 WHERE identity_id = $1", [agent.publicId, failures]);
    await happen([agent], "task.claimed");
    await delivered();
    const { webhook: state } = await show(agent);
    assert.deepEqual([state?.state, state?.enabled, state?.next_attempt_at], ["disabled", false, null]);
    const said = (await me(agent)) as { state: string; reason: string; detail: string };
    assert.deepEqual([said.state, said.reason], ["disabled", reason]);
    assert.match(said.detail, new RegExp(`status ${status}`));
    await happen([agent], "task.started");
    receiver.answer = (response) => void response.writeHead(204).end();
    succeeded(await webhook(agent, "", { url: state?.url }));
    await delivered();
    assert.deepEqual(typesOf(receiver), ["task.claimed", "task.claimed", "task.started"]);
    assert.deepEqual(await me(agent), { state: "active", reason: null, detail: null, disabled_at: null });
  }
});

test("deliveries pause while the identity is suspended or its domain has lapsed, and lose nothing", async () => {
  const [lapsed, suspended] = [await subscriber(), await subscriber()];
  const setState = (state: string) =>
    pool().query("UPDATE identities SET state = $2::identity_state WHERE id = $1", [suspended.agent.publicId, state]);
  await setDomainStatus(lapsed.agent, "lapsed");
  await setState("suspended");
  await happen([lapsed.agent, suspended.agent], "task.claimed");
  await delivered();
  assert.deepEqual([...typesOf(lapsed.receiver), ...typesOf(suspended.receiver)], []);
  assert.equal(outcome(await webhook(suspended.agent, "_test")), "403 identity_suspended");
  assert.equal(outcome(await webhook(lapsed.agent, "_test")), "403 gate_refused");
  await setDomainStatus(lapsed.agent, "verified");
  await setState("active");
  await delivered();
  assert.deepEqual([...typesOf(lapsed.receiver), ...typesOf(suspended.receiver)], ["task.claimed", "task.claimed"]);
});

test("the list of deliveries is bounded by number and age", async () => {
  const { agent } = await subscriber();
  await pool().query("UPDATE webhooks SET delivered = 300 WHERE identity_id = $1", [agent.publicId]);
  await pool().query(
    `INSERT INTO webhook_deliveries SELECT $1, n, 'evt_' || n, n, 1, now() - interval '29 days', 200, 5, 'delivered' FROM generate_series(1, 300) n`,
    [agent.publicId],
  );
  await happen([agent], "task.claimed");
  await delivered();
  const count = async () =>
    (await pool().query("SELECT count(*)::int AS n FROM webhook_deliveries WHERE identity_id = $1", [agent.publicId]))
      .rows[0].n;
  assert.equal(await count(), 200);
  assert.equal((await show(agent)).deliveries.length, 50);
  await forgetDeliveries(new Date(Date.now() + 2 * 86_400_000));
  assert.equal(await count(), 1);
});

test("only the identity's own verified host is accepted, over https on port 443", async () => {
  const host = newHost();
  const agent = await registerAgent(at(host));
  const reasonOf = ({ error }: Answer<unknown>) => error?.gates?.map(({ gate, reason }) => `${gate} ${reason}`).join();
  assert.equal(reasonOf(await webhook(agent, "", { url: `https://${host}/hook` })), "domain unverified");
  await setDomainStatus(agent, "verified");
  const cases: Record<string, string> = {
    [`http://${host}/hook`]: "not_https",
    [`ftp://${host}/hook`]: "not_https",
    [`https://${host}:8443/hook`]: "other_port",
    [`https://sub.${host}/hook`]: "other_host",
    [`https://${host}.evil.example/hook`]: "other_host",
    "https://127.0.0.1/hook": "other_host",
    "https://[::1]/hook": "other_host",
    "https://localhost/hook": "other_host",
    "https://2130706433/": "other_host",
  };
  for (const [url, reason] of Object.entries(cases)) {
    const answer = await webhook(agent, "", { url });
    assert.equal(outcome(answer), "403 gate_refused", url);
    assert.equal(reasonOf(answer), `domain ${reason}`, url);
  }
  await setDomainStatus(agent, "lapsed");
  assert.equal(reasonOf(await webhook(agent, "", { url: `https://${host}/hook` })), "domain lapsed");
  await setDomainStatus(agent, "grace");
  succeeded(await webhook(agent, "", { url: `https://${host.toUpperCase()}:443/hook` }));
  assert.equal((await show(agent)).webhook?.url, `https://${host}/hook`);
});

test("input of the wrong form is refused, naming the field", async () => {
  const host = newHost();
  const agent = await verifiedAgent(at(host));
  const url = `https://${host}/hook`;
  const cases: [object, string][] = [
    [{}, "url"],
    [{ url: "" }, "url"],
    [{ url: "not a url" }, "url"],
    [{ url: "//host/path" }, "url"],
    [{ url: `https://user:pw@${host}/` }, "url"],
    [{ url: `${url}\\x` }, "url"],
    [{ url: `${url}?${"x".repeat(500)}` }, "url"],
    [{ url: `${url}?${"ä".repeat(200)}` }, "url"],
    [{ url, types: ["task"] }, "types.0"],
    [{ url, types: ["task.claimed", "*"] }, "types.1"],
    [{ url, types: ["task.*.x"] }, "types.0"],
    [{ url, types: "task.*" }, "types"],
    [{ url, types: Array(51).fill("task.*") }, "types"],
    [{ url, enabled: "yes" }, "enabled"],
    [{ url, secret: "whsec_x" }, "secret"],
  ];
  for (const [fields, path] of cases) {
    const { error } = await webhook(agent, "", fields);
    assert.equal(error?.code, "invalid_input", JSON.stringify(fields));
    assert.deepEqual(
      error?.field_errors?.map((each) => each.path),
      [path],
      JSON.stringify(fields),
    );
  }
  assert.deepEqual(await show(agent), { webhook: null, deliveries: [] });
  assert.equal(await me(agent), null);
  for (const act of ["_rotate", "_test", "_remove"] as const)
    assert.equal(outcome(await webhook(agent, act)), "404 not_found");
  assert.equal(outcome(await webhook(agent, "_replay", { after: 0 })), "404 not_found");
});

test("after a rotation both secrets sign for 24 hours, then only the new one", async () => {
  const { agent, receiver, secret } = await subscriber();
  const rotated = await webhook<z.output<typeof schema.RotateAnswer>>(agent, "_rotate");
  succeeded(rotated);
  const { secret: fresh, old_secret_until: until } = rotated.body;
  const { rows } = await pool().query("SELECT secret FROM webhooks WHERE identity_id = $1", [agent.publicId]);
  assert.ok(!rows[0].secret.includes(Buffer.from(fresh.slice("whsec_".length), "base64")), "it is stored encrypted");
  assert.notEqual(fresh, secret);
  assert.ok(Math.abs(Date.parse(until) - Date.now() - 86_400_000) < 60_000);
  await happen([agent], "task.claimed");
  await delivered();
  const [both] = receiver.received;
  assert.ok(both);
  assert.equal(String(both.headers["webhook-signature"]).split(" ").length, 2);
  verify(secret, both);
  verify(fresh, both);
  await pool().query("UPDATE webhooks SET previous_until = now() - interval '1 second' WHERE identity_id = $1", [
    agent.publicId,
  ]);
  await happen([agent], "task.started");
  await delivered();
  const [, last] = receiver.received;
  assert.ok(last);
  verify(fresh, last);
  assert.throws(() => verify(secret, last));
});

test("a test says what came back and changes nothing", async () => {
  const { agent, receiver, secret } = await subscriber();
  receiver.answer = (response) =>
    void response.writeHead(418, { "Content-Type": "text/plain" }).end("I am\u0007 a teapot");
  const before = await show(agent);
  const answer = await webhook<z.output<typeof schema.TestAnswer>>(agent, "_test");
  succeeded(answer);
  const { delivery, error, body } = answer.body;
  assert.deepEqual(
    {
      attempt: delivery.attempt,
      position: delivery.position,
      status: delivery.status,
      outcome: delivery.outcome,
      body,
    },
    { attempt: 1, position: 0, status: 418, outcome: "status", body: "I am a teapot" },
  );
  assert.match(error ?? "", /status 418/);
  const [sent] = receiver.received;
  assert.ok(sent);
  const { type, data } = verify(secret, sent);
  assert.deepEqual(
    [type, data.type, data.position, data.event_id],
    ["webhook.test", "webhook.test", 0, delivery.event_id],
  );
  assert.deepEqual(await show(agent), before);
});

test("a replay delivers again from a position, and refuses positions that the feed cannot start from", async () => {
  const { agent, receiver } = await subscriber();
  const start = await readHead();
  const head = await happen([agent], "task.claimed", "task.started");
  await delivered();
  const replayed = await webhook<z.output<typeof schema.WebhookAnswer>>(agent, "_replay", { after: start });
  succeeded(replayed);
  assert.equal(replayed.body.webhook.cursor, start);
  await delivered();
  assert.deepEqual(typesOf(receiver), ["task.claimed", "task.started", "task.claimed", "task.started"]);
  assert.equal(receiver.received[0]?.headers["webhook-id"], receiver.received[2]?.headers["webhook-id"]);
  assert.equal(outcome(await webhook(agent, "_replay", { after: head + 1_000 })), "410 cursor_expired");
  assert.equal(outcome(await webhook(agent, "_replay", { after: -1 })), "422 invalid_input");
});

test("settings that change during an attempt win over its result", async () => {
  const { agent, receiver } = await subscriber();
  const start = await readHead();
  let entered: () => void = () => undefined;
  const reached = new Promise<void>((done) => {
    entered = done;
  });
  let finish: () => void = () => undefined;
  receiver.answer = (response) => {
    finish = () => void response.writeHead(204).end();
    entered();
  };
  await happen([agent], "task.claimed");
  const idle = delivered();
  await reached;
  succeeded(await webhook(agent, "", { url: `https://${receiver.host}/hook?from=us`, enabled: false }));
  finish();
  await idle;
  assert.deepEqual([(await show(agent)).webhook?.cursor, (await show(agent)).webhook?.state], [start, "disabled"]);
  assert.equal(((await me(agent)) as { reason: string }).reason, "requested");
  receiver.answer = (response) => void response.writeHead(204).end();
  succeeded(await webhook(agent, "", { url: `https://${receiver.host}/new` }));
  await delivered();
  assert.deepEqual(typesOf(receiver), ["task.claimed", "task.claimed"]);
  succeeded(await webhook(agent, "_remove"));
  assert.deepEqual(await show(agent), { webhook: null, deliveries: [] });
  const again = await webhook<Saved>(agent, "", { url: `https://${receiver.host}/hook` });
  assert.match(again.body.secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
});

test("forgotten webhooks are woken without waiting for one that is being changed", { timeout: 30_000 }, async () => {
  await stopDispatchers();
  const ids = (await Promise.all([1, 2, 3].map(subscriber))).map(({ agent }) => agent.publicId);
  await pool().query("UPDATE webhooks SET pending = false");
  await pool().query(
    "INSERT INTO event_recipients (recipient, position, type) SELECT id, 1000000, 'task.claimed' FROM unnest($1::text[]) id",
    [ids],
  );
  const pending = async () =>
    (await pool().query("SELECT identity_id AS id FROM webhooks WHERE pending ORDER BY id")).rows.map(({ id }) => id);
  await withClient(service.url, async (client) => {
    await client.query("BEGIN");
    await client.query("UPDATE webhooks SET signals = signals + 1 WHERE identity_id = $1", [ids[0]]);
    await wake();
    assert.deepEqual(await pending(), ids.slice(1).sort());
    await client.query("ROLLBACK");
  });
  await wake();
  assert.deepEqual(await pending(), [...ids].sort());
  restartDispatchers();
});

test("a replay forgets that earlier deliveries failed, and saved settings give them the whole schedule again", async () => {
  const [replayed, same, moved] = [await subscriber(), await subscriber(), await subscriber()];
  const ids = [replayed, same, moved].map(({ agent }) => agent.publicId);
  await pool().query(
    "UPDATE webhooks SET failures = 9, failing_since = now(), last_error = 'It answered 500.', slow = true WHERE identity_id = ANY ($1)",
    [ids],
  );
  const url = (await show(same.agent)).webhook?.url;
  const answers = [
    await webhook<Saved>(replayed.agent, "_replay", { after: await readHead() }),
    await webhook<Saved>(same.agent, "", { url }),
    await webhook<Saved>(moved.agent, "", { url: `https://${moved.receiver.host}/elsewhere` }),
  ];
  assert.deepEqual(
    answers.map(
      ({
        body: {
          webhook: { state, failing_since: since, last_error: error },
        },
      }) => [state, since !== null, error],
    ),
    [
      ["active", false, null],
      ["failing", true, "It answered 500."],
      ["active", false, null],
    ],
  );
  const { rows } = await pool().query("SELECT failures FROM webhooks WHERE identity_id = ANY ($1)", [ids]);
  assert.deepEqual(rows, Array(3).fill({ failures: 0 }));
});
