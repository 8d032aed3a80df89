import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { type Answer, forFile, outcome } from "#testing/client.ts";
import { settled } from "#testing/events.ts";
import { registerAgent, setDomainStatus, succeeded, verifiedAgent } from "#testing/factories.ts";
import { at, newHost } from "#testing/hosts.ts";
import type { Received, Receiver } from "#testing/outside/receivers.ts";
import {
  clock,
  delivered,
  happen,
  me,
  receiverAt,
  resetClock,
  restartDispatcher,
  type Saved,
  show,
  startWebhooks,
  stopDispatcher,
  subscriber,
  typesOf,
  verify,
  wait,
  webhook,
  write,
} from "#testing/webhooks.ts";
import { readHead } from "../read.ts";
import { forgetDeliveries } from "./deliveries.ts";
import { startDispatcher } from "./dispatcher.ts";
import { claim } from "./queue.ts";
import { WAITS } from "./schedule.ts";
import type * as schema from "./schema.ts";

forFile(startWebhooks);
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

test("after the last attempt the webhook is disabled, me.php says why, and enabling continues at the same event", async () => {
  const { agent, receiver } = await subscriber();
  receiver.answer = (response) => void response.writeHead(302, { Location: "https://evil.example/" }).end();
  await happen([agent], "task.claimed");
  await delivered();
  for (const seconds of WAITS) {
    assert.equal((await show(agent)).webhook?.state, "failing");
    await wait(seconds + 1);
  }
  assert.equal(receiver.received.length, 10);
  const { webhook: state } = await show(agent);
  assert.deepEqual([state?.state, state?.enabled, state?.next_attempt_at], ["disabled", false, null]);
  const said = (await me(agent)) as { state: string; reason: string; detail: string; disabled_at: string };
  assert.deepEqual([said.state, said.reason], ["disabled", "exhausted"]);
  assert.match(said.detail, /redirect \(302\)/);
  await happen([agent], "task.started");
  await wait(100_000);
  assert.equal(receiver.received.length, 10);

  receiver.answer = (response) => void response.writeHead(204).end();
  resetClock();
  succeeded(await webhook(agent, "", { url: state?.url }));
  await wait(1);
  assert.deepEqual(typesOf(receiver).slice(10), ["task.claimed", "task.started"]);
  assert.deepEqual(await me(agent), { state: "active", reason: null, detail: null, disabled_at: null });
});

test("410 disables at once; Retry-After puts the next attempt off by at most an hour", async () => {
  const [leaving, busy] = [await subscriber(), await subscriber()];
  leaving.receiver.answer = (response) => void response.writeHead(410).end();
  busy.receiver.answer = (response) => void response.writeHead(503, { "Retry-After": "86400" }).end();
  await happen([leaving.agent, busy.agent], "task.claimed");
  await delivered();
  assert.deepEqual(((await me(leaving.agent)) as { reason: string }).reason, "gone");
  assert.equal((await show(leaving.agent)).deliveries[0]?.outcome, "gone");
  const { next_attempt_at: next } = (await show(busy.agent)).webhook ?? {};
  const waits = (Date.parse(next ?? "") - Date.now()) / 1000;
  assert.ok(waits > 3_500 && waits <= 3_600, `${waits}`);
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

test("each event is delivered by one of several processes, and what a dead one held is taken over", async () => {
  const { agent, receiver } = await subscriber();
  const second = startDispatcher({ clock });
  try {
    for (let round = 0; round < 5; round += 1) await happen([agent], "task.claimed", "task.started");
    while (receiver.received.length < 10) await delay(20);
    await Promise.all([delivered(), second.idle()]);
    const positions = receiver.received.map(({ body }) => JSON.parse(body).data.position);
    assert.deepEqual(
      positions,
      [...positions].sort((one, other) => one - other),
    );
    assert.equal(new Set(positions).size, 10);
  } finally {
    await second.stop();
  }
  // A process that claims, and dies.
  await stopDispatcher();
  await happen([agent], "task.claimed");
  assert.equal((await claim("dead process", clock.now(), "prompt", 100)).length, 1);
  restartDispatcher();
  await delivered();
  assert.equal(receiver.received.length, 10);
  await wait(31);
  assert.equal(receiver.received.length, 11);
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

// WEBHOOK_EVENTS=10000 WEBHOOK_RECEIVERS=50 WEBHOOK_BAD=10 is the big run.
const EVENTS = Number(process.env.WEBHOOK_EVENTS ?? 100);
const RECEIVERS = Number(process.env.WEBHOOK_RECEIVERS ?? 10);
const BAD = Number(process.env.WEBHOOK_BAD ?? 4);

const FAULTS: ((receiver: Receiver) => unknown)[] = [
  (receiver) => receiver.die(),
  // Answers nothing.
  (receiver) => Object.assign(receiver, { answer: () => undefined }),
  (receiver) =>
    Object.assign(receiver, {
      answer: (response: ServerResponse) => response.writeHead(308, { Location: "https://127.0.0.1/" }).end(),
    }),
  // Says 200 in something that is not HTTP.
  (receiver) =>
    Object.assign(receiver, { answer: (response: ServerResponse) => response.socket?.end("200 OK, trust me\r\n\r\n") }),
];

test("dead, slow, redirecting and lying receivers delay nobody: the others get everything, in order and signed", {
  timeout: 600_000,
}, async (t) => {
  const all = await Promise.all(Array.from({ length: RECEIVERS }, subscriber));
  for (const [index, { receiver }] of all.slice(0, BAD).entries()) await FAULTS[index % FAULTS.length]?.(receiver);
  // Checked as they arrive: the verifier refuses what is older than five minutes.
  const invalid: unknown[] = [];
  for (const { receiver, secret } of all.slice(BAD)) {
    receiver.answer = (response, received) => {
      try {
        verify(secret, received);
      } catch (error) {
        invalid.push(error);
      }
      response.writeHead(204).end();
    };
  }
  const began = performance.now();
  const expected = new Map(all.map(({ agent }) => [agent.publicId, [] as string[]]));
  const start = await readHead();
  for (let made = 0; made < EVENTS; made += 100) {
    const parties = Array.from({ length: Math.min(100, EVENTS - made) }, (_, index) => {
      const [one, other] = [all[(made + index) % RECEIVERS], all[((made + index) * 7 + 3) % RECEIVERS]];
      return [...new Set([one, other])].flatMap((each) => each?.agent.publicId ?? []);
    });
    await write(parties.map((recipients) => ({ type: "task.claimed", recipients })));
  }
  await settled();
  const written = (performance.now() - began) / 1000;
  const { rows } = await pool().query(
    "SELECT e.id, e.recipients FROM event_positions p JOIN audit_events e USING (seq) WHERE p.position > $1 ORDER BY p.position",
    [start],
  );
  for (const { id, recipients } of rows) for (const recipient of recipients) expected.get(recipient)?.push(id);

  const good = all.slice(BAD);
  const due = good.reduce((sum, { agent }) => sum + (expected.get(agent.publicId)?.length ?? 0), 0);
  // An answer that took too long on a busy machine is followed by a repetition, so unlike ones are counted.
  const unlike = ({ received }: Receiver) => new Set(received.map(({ headers }) => headers["webhook-id"])).size;
  while (good.some(({ agent, receiver }) => unlike(receiver) < (expected.get(agent.publicId)?.length ?? 0)))
    await delay(200);
  const arrived = good.reduce((sum, { receiver }) => sum + receiver.received.length, 0);
  const seconds = (performance.now() - began) / 1000;
  for (const { agent, receiver } of good) {
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    assert.deepEqual([...new Set(ids)], expected.get(agent.publicId));
  }
  assert.deepEqual(invalid, []);
  for (const { agent, receiver } of all.slice(0, BAD)) {
    assert.ok(unlike(receiver) <= 1);
    assert.notEqual((await show(agent)).webhook?.state, "disabled");
  }
  t.diagnostic(
    `${EVENTS} events to ${RECEIVERS} receivers, ${BAD} of them bad: written in ${written.toFixed(1)} s, ${due} deliveries (${arrived - due} repeated) after ${seconds.toFixed(1)} s`,
  );
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

test("the secret survives the rotation of AUTH_SECRET, and is stored again under the new one", async () => {
  const { agent, receiver, secret } = await subscriber();
  const stored = async () =>
    (await pool().query("SELECT secret FROM webhooks WHERE identity_id = $1", [agent.publicId])).rows[0]
      .secret as Buffer;
  const before = await stored();
  const shared = globalThis as { guildhallEnv?: unknown };
  const known = shared.guildhallEnv;
  assert.ok(!before.includes(Buffer.from(secret.slice("whsec_".length), "base64")));
  try {
    const old = process.env.AUTH_SECRET as string;
    shared.guildhallEnv = loadEnv({
      ...process.env,
      AUTH_SECRET: "another secret that only tests know, of some length".replaceAll(" ", "-"),
      AUTH_SECRET_PREVIOUS: undefined,
    });
    (shared.guildhallEnv as { authSecretsPrevious: string[] }).authSecretsPrevious = [old];
    await happen([agent], "task.claimed");
    await delivered();
    assert.equal(receiver.received.length, 1);
    verify(secret, receiver.received[0] as Received);
    assert.ok(!before.subarray(0, 4).equals((await stored()).subarray(0, 4)));

    (shared.guildhallEnv as { authSecretsPrevious: string[] }).authSecretsPrevious = [];
    await pool().query("UPDATE webhooks SET secret = $2 WHERE identity_id = $1", [agent.publicId, before]);
    shared.guildhallEnv = { ...(shared.guildhallEnv as object) };
    await happen([agent], "task.started");
    await delivered();
    const { rows } = await pool().query("SELECT disabled_reason FROM webhooks WHERE identity_id = $1", [
      agent.publicId,
    ]);
    assert.equal(rows[0].disabled_reason, "secret_lost");
  } finally {
    shared.guildhallEnv = known;
  }
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
