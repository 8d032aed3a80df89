import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { readSecurityLog } from "#lib/owners/security-log.ts";
import { call, forFile, outcome } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import {
  bodiesOf,
  delivered,
  listener,
  notification,
  receiverAt,
  resetClock,
  setHook,
  shown,
  signIns,
  startDeliveries,
} from "#testing/deliveries.ts";
import { callAs, succeeded } from "#testing/factories.ts";
import { addTotp, letConfirmationLapse } from "#testing/factors.ts";
import { newHost } from "#testing/hosts.ts";
import { callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { ownedAgent, setLimits } from "#testing/owner-limits.ts";
import { PASSWORD, TestBrowser } from "#testing/sign-in.ts";
import { subscribedBrowser } from "#testing/web-push.ts";
import { did, perform, taskAt } from "#testing/workflow.ts";
import { pushPublicKey } from "./address.ts";
import { forgetNotifications, tellOfEndingReviews } from "./jobs.ts";
import type * as schema from "./schema.ts";
import { KINDS, type NotificationKind } from "./schema.ts";

forFile(startDeliveries);
afterEach(() => configure());
beforeEach(resetClock);

const tryOut = (owner: TestOwner, channelId: string) =>
  notification<z.output<typeof schema.TestAnswer>>(owner, "test", { channel_id: channelId });
const actionsOf = async ({ ownerId }: TestOwner) =>
  (await readSecurityLog(ownerId, { limit: 20 })).entries.map(({ action }) => action);

/** Writes an entry of the audit trail, by this owner or by the system, about this agent or a task; with a type, it is an event for the agent. */
const note = (
  agent: { publicId: string },
  action: string,
  { type, owner }: { type?: string; owner?: TestOwner } = {},
) =>
  pool().query(
    `INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, request_id, type, recipients, event_data)
     VALUES ('evt_' || gen_random_uuid(), now(), $3, $4, $2, 'identity', $1, 'r', $5, $6, $7)`,
    [
      ...[agent.publicId, action, owner ? "owner" : "system", owner?.ownerId ?? "x"],
      ...(type ? [type, [agent.publicId], "{}"] : [null, null, null]),
    ],
  );

test("owners are told of what happens to their agents and account, with the agent and a link, and of nothing else", async () => {
  const [{ owner, receiver }, other] = [await listener(), await listener()];
  const agent = await ownedAgent(owner);
  const provider = await ownedAgent(other.owner);
  const name = "Test agent";
  await pool().query("UPDATE identities SET name = $2 WHERE id = $1", [agent.publicId, name]);

  succeeded(await setLimits(owner, agent, { ask_above_pence: 100 }));
  const asked = await taskAt("claimed", { requester: agent, provider }, { task: { brief: "A secret brief." } });
  for (let tried = 0; tried < 3; tried += 1) assert.equal((await perform(agent, "propose", asked)).status, 403);
  succeeded(await setLimits(owner, agent, {}));

  const reviewed = await taskAt("submitted", { requester: agent, provider });
  await pool().query("UPDATE tasks SET review_ends_at = now() + interval '20 hours' WHERE id = $1", [reviewed.taskId]);
  for (let run = 0; run < 2; run += 1) await tellOfEndingReviews(new Date());

  const disputed = await taskAt("submitted", { requester: agent, provider });
  const { dispute } = await did(provider, "dispute", disputed);
  const statement = { dispute_id: dispute?.dispute_id, statement: "It is all there." };
  succeeded(await callAs(provider, "POST", "/api/v1/jobs/dispute_statement.php", statement), 201);

  await pool().query(
    "INSERT INTO webhooks (identity_id, url, types, enabled, secret, cursor, due_at, created_at, updated_at) VALUES ($1, 'u', '{}', false, '', 0, now(), now(), now())",
    [agent.publicId],
  );
  for (let failures = 1; failures <= 4; failures += 1)
    await pool().query("UPDATE webhooks SET failures = $2, failing_since = '2026-01-01' WHERE identity_id = $1", [
      agent.publicId,
      failures,
    ]);
  await note(agent, "recheck", { type: "identity.grace" });
  await new TestBrowser().signIn(owner.email, PASSWORD);
  await delivered();

  const sent = bodiesOf(receiver);
  const about = { public_id: agent.publicId, name };
  const page = (path: string) => `http://localhost:3000/workspace/${path}`;
  assert.deepEqual(
    sent.map(({ at: _, ...rest }) => rest),
    [
      { kind: "approval", title: "Approval needed", agent: about, link: page("inbox") },
      { kind: "review", title: "Review about to end", agent: about, link: page("inbox") },
      { kind: "dispute", title: "Dispute opened or answered", agent: about, link: page("inbox") },
      { kind: "dispute", title: "Dispute opened or answered", agent: about, link: page("inbox") },
      { kind: "webhook", title: "Webhook failing", agent: about, link: page(`agents/${agent.publicId}/webhook`) },
      { kind: "domain", title: "Domain lapsing", agent: about, link: page(`agents/${agent.publicId}/service`) },
      { kind: "sign_in", title: "New sign-in", agent: null, link: page("account/security") },
    ],
  );
  assert.deepEqual(
    bodiesOf(other.receiver).map(({ kind, agent: whose }) => [kind, whose.public_id]),
    [
      ["dispute", provider.publicId],
      ["dispute", provider.publicId],
    ],
  );
});

test("an owner is notified of the chosen kinds only, not of their own acts, and not while the account is disabled", async () => {
  const { owner, receiver } = await listener();
  for (const kinds of [["dispute"], []] as NotificationKind[][]) {
    succeeded(await notification(owner, "kinds", { kinds: [...kinds, ...kinds] }));
    assert.deepEqual((await shown(owner)).kinds, kinds);
    await signIns(owner);
  }
  succeeded(await notification(owner, "kinds", { kinds: KINDS }));
  const agent = await ownedAgent(owner);
  await note(agent, "dispute", { type: "dispute.opened", owner });
  await pool().query("UPDATE owners SET disabled_at = now() WHERE id = $1", [owner.ownerId]);
  await signIns(owner);
  await delivered();
  assert.deepEqual(receiver.received, []);
});

test("Slack and ntfy get their own JSON, in which an agent's name is only text", async () => {
  const [slack, ntfy] = [
    await listener({ format: "slack" }),
    await listener({ format: "ntfy", path: "/my-topic?auth=x" }),
  ];
  const agents = [await ownedAgent(slack.owner), await ownedAgent(ntfy.owner)];
  await pool().query("UPDATE identities SET name = '<!channel> & co' WHERE id = ANY ($1)", [
    agents.map(({ publicId }) => publicId),
  ]);
  for (const agent of agents) await note(agent, "webhook_disabled");
  await delivered();
  const link = (id: string | undefined) => `http://localhost:3000/workspace/agents/${id}/webhook`;
  const [first, second] = agents.map(({ publicId }) => publicId);
  assert.deepEqual(bodiesOf(slack.receiver), [
    { text: `Webhook failing: &lt;!channel&gt; &amp; co (${first})\n<${link(first)}>` },
  ]);
  assert.deepEqual(bodiesOf(ntfy.receiver), [
    { topic: "my-topic", title: "Webhook failing", message: `<!channel> & co (${second})`, click: link(second) },
  ]);
  assert.equal(ntfy.receiver.received[0]?.path, "/?auth=x");
});

test("a browser gets its message encrypted, and is removed when its push service answers 404 or 410", async () => {
  for (const status of [404, 410]) {
    const [owner, receiver] = [await signedInOwner(), await receiverAt(newHost())];
    const { subscription, read } = subscribedBrowser(`https://${receiver.host}/send/abc`);
    const made = await notification<z.output<typeof schema.ChannelAnswer>>(owner, "push", subscription);
    succeeded(made, 201);
    await signIns(owner);
    await delivered();
    const [sent] = receiver.received;
    assert.ok(sent);
    assert.deepEqual([sent.headers["content-encoding"], sent.headers.ttl], ["aes128gcm", "86400"]);
    assert.match(sent.headers.authorization ?? "", new RegExp(`^vapid t=.+, ?k=${pushPublicKey()}$`));
    const { kind, link, agent } = read(sent.bytes) as { kind: string; link: string; agent: null };
    assert.deepEqual([kind, link, agent], ["sign_in", "http://localhost:3000/workspace/account/security", null]);
    succeeded(await notification(owner, "push", subscription), 201);
    assert.equal((await shown(owner)).channels.length, 1, "the same browser again");

    receiver.answer = (response) => void response.writeHead(status).end();
    if (status === 404) await signIns(owner);
    else succeeded(await tryOut(owner, (await shown(owner)).channels[0]?.channel_id ?? ""));
    await delivered();
    assert.deepEqual((await shown(owner)).channels, []);
    assert.equal((await actionsOf(owner))[0], "notifications_removed");
  }
});

test("a hook that keeps failing is disabled, with a word in the security log; what comes then is dropped, and a test still sent", async () => {
  const { owner, receiver, channelId } = await listener();
  receiver.answer = (response) => void response.writeHead(410).end();
  await signIns(owner, 2);
  await delivered();
  assert.equal((await shown(owner)).channels[0]?.state, "disabled");
  assert.ok(!(await shown(owner)).channels[0]?.last_error?.includes("secret-part"));
  assert.equal((await actionsOf(owner))[0], "notifications_stopped");
  receiver.answer = (response) => void response.writeHead(200).end();
  await signIns(owner);
  assert.equal((await tryOut(owner, channelId)).body.delivered, true);
  succeeded(await setHook(owner, `https://${receiver.host}/hook`), 201);
  await signIns(owner);
  await delivered();
  assert.deepEqual(
    bodiesOf(receiver).map(({ kind }) => kind),
    ["sign_in", "test", "sign_in"],
  );
});

test("a queue holds 100 for each channel, and what is older than 30 days is forgotten", async () => {
  const { owner, receiver, channelId } = await listener();
  await receiver.die();
  await signIns(owner, 150);
  const count = async (where = "true") =>
    (await pool().query(`SELECT count(*)::int AS n FROM notifications WHERE channel_id = $1 AND ${where}`, [channelId]))
      .rows[0].n;
  assert.equal(await count("ended_at IS NULL"), 100);
  await pool().query(
    "UPDATE notifications SET at = now() - interval '31 days' WHERE channel_id = $1 AND number % 2 = 0",
    [channelId],
  );
  await forgetNotifications(new Date(Date.now() - 30 * 86_400_000));
  assert.equal(await count(), 50);
});

test("a hook's URL is shown to nobody again: not in answers, the log, the audit trail or the export, and it goes with the account", async () => {
  const { owner, receiver, channelId } = await listener({ path: "/services/T0/very-secret-part" });
  await signIns(owner);
  await delivered();
  const exported = await callAsOwner<{ notifications: { channels: { label: string }[] } }>(
    owner,
    "GET",
    "/api/v1/owners/export.php",
  );
  succeeded(exported);
  assert.equal(exported.body.notifications.channels[0]?.label, `${receiver.host}, ends in part`);
  const { rows } = await pool().query("SELECT to_jsonb(a) AS row FROM audit_events a WHERE subject_id = $1", [
    owner.ownerId,
  ]);
  const stored = await pool().query("SELECT encode(address, 'escape') AS address FROM owner_channels WHERE id = $1", [
    channelId,
  ]);
  for (const seen of [exported.body, rows, stored.rows, await shown(owner)])
    assert.ok(!JSON.stringify(seen).includes("very-secret"));
  assert.deepEqual((await actionsOf(owner)).slice(-1), ["notifications_set"]);
  succeeded(await callAsOwner(owner, "POST", "/api/v1/owners/delete.php", { confirm: owner.email }));
  for (const [table, column] of [
    ["owner_channels", "id"],
    ["notifications", "channel_id"],
  ])
    assert.equal((await pool().query(`SELECT FROM ${table} WHERE ${column} = $1`, [channelId])).rowCount, 0);
});

test("only the owner changes channels, one hook at a time, after a confirmation where a second factor is set up", async () => {
  const [{ owner, channelId, receiver }, stranger] = [await listener(), await signedInOwner()];
  const url = (at: number) => `https://${receiver.host}/hook/${at}`;
  await Promise.all([1, 2, 3, 4].map((at) => setHook(owner, url(at))));
  const [only, ...more] = (await shown(owner)).channels;
  assert.deepEqual(more, []);
  for (const act of ["test", "remove"]) {
    assert.equal(outcome(await notification(owner, act, { channel_id: channelId })), "404 not_found");
    assert.equal(outcome(await notification(stranger, act, { channel_id: only?.channel_id })), "404 not_found");
  }
  await addTotp(owner);
  await letConfirmationLapse(owner);
  assert.equal((await setHook(owner, url(5))).error?.reason, "step_up_required");
  succeeded(await notification(owner, "remove", { channel_id: only?.channel_id }));
  assert.deepEqual((await shown(owner)).channels, []);
  const headers = { Cookie: owner.cookie, Origin: "https://evil.example", "X-CSRF-Token": owner.csrfToken };
  const forged = await call("POST", "/api/v1/owners/notification_kinds.php", { headers, body: { kinds: [] } });
  assert.equal(outcome(forged), "403 csrf_failed");
});

test("what cannot be called is refused with its field: addresses, other ports and schemes, a topic that is none, a key that is none", async () => {
  const owner = await signedInOwner();
  const { subscription } = subscribedBrowser("https://push.example.org/x");
  const wrong: [string, object, string][] = [
    ...[
      "http://hooks.example.org/x",
      "https://10.0.0.1/x",
      "https://localhost/x",
      "https://u:p@hooks.example.org/",
      "https://hooks.example.org:8443/",
    ].map((url): [string, object, string] => ["hook", { url, format: "json" }, "url"]),
    ["hook", { url: "https://ntfy.example.org/a/b", format: "ntfy" }, "url"],
    ["hook", { url: "https://ntfy.example.org/a", format: "xml" }, "format"],
    ["push", { ...subscription, p256dh: "A".repeat(87) }, "p256dh"],
    ["push", { ...subscription, auth: "short" }, "auth"],
    ["kinds", { kinds: ["money"] }, "kinds.0"],
  ];
  for (const [act, fields, path] of wrong) {
    const { status, error } = await notification(owner, act, fields);
    assert.deepEqual([status, error?.field_errors?.[0]?.path], [422, path], JSON.stringify(fields));
  }
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      notification(owner, "push", subscribedBrowser(`https://push.example.org/${at}`).subscription),
    ),
  );
  assert.equal(outcome(await notification(owner, "push", subscription)), "409 quota_exceeded");
  await configure({ VAPID_PRIVATE_KEY: "" });
  const [channel] = (await shown(owner)).channels;
  assert.equal(outcome(await notification(owner, "push", subscription)), "409 state_conflict");
  assert.equal(outcome(await tryOut(owner, channel?.channel_id ?? "")), "409 state_conflict");
  await signIns(owner);
  await delivered();
  assert.deepEqual(
    (await shown(owner)).channels.map(({ state }) => state),
    Array(10).fill("failing"),
    "without a key nothing is sent, and no browser is lost",
  );
});

test("the test button is limited to 10 an hour, over all sessions of the owner", async () => {
  const { owner, channelId } = await listener();
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let sent = 0; sent < 10; sent += 1) succeeded(await tryOut(owner, channelId));
  assert.equal(outcome(await tryOut(await signInAgain(owner), channelId)), "429 rate_limited");
});
