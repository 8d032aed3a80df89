import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { type Answer, outcome } from "#testing/client.ts";
import { registerAgent, setDomainStatus, succeeded, verifiedAgent } from "#testing/factories.ts";
import { at, newHost } from "#testing/hosts.ts";
import type { Received } from "#testing/outside/receivers.ts";
import {
  delivered,
  happen,
  me,
  resetClock,
  type Saved,
  show,
  startWebhooks,
  subscriber,
  typesOf,
  verify,
  webhook,
} from "#testing/webhooks.ts";
import { readHead } from "../read.ts";
import type * as schema from "./schema.ts";

let service: Awaited<ReturnType<typeof startWebhooks>>;
before(async () => {
  service = await startWebhooks();
});
after(() => service.stop());
beforeEach(resetClock);

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
