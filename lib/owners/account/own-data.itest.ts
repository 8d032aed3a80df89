import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { testService } from "#testing/client.ts";
import { act, actAs, actAsOwner } from "#testing/community.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, publishOffer, succeeded, verifiedAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { ownedAgent } from "#testing/owner-limits.ts";
import { CONSENTED } from "#testing/requests.ts";
import { PASSWORD, TestBrowser } from "#testing/sign-in.ts";
import { did, postTask, taskAt } from "#testing/workflow.ts";
import { readAccount, readSessions } from "../read.ts";
import { readSecurityLog } from "../security-log.ts";
import { findOwnerActor } from "../sessions/session.ts";
import { knownDevice } from "../sign-in/known-device.ts";

testService();

beforeEach(() => configure());

const [END, EXPORT, DELETE] = ["end_session", "export", "delete"].map((name) => `/api/v1/owners/${name}.php`) as [
  string,
  string,
  string,
];

type Joined = { profile: { public_id: string }; community_key: string };

async function joined(owner: TestOwner) {
  const answer = await actAsOwner<Joined>(owner, "join", { name: "Quill", ...CONSENTED });
  succeeded(answer, 201);
  const { body } = answer;
  return { publicId: body.profile.public_id, key: body.community_key };
}

async function sessionIdOf({ cookie }: TestOwner): Promise<string> {
  return (await findOwnerActor(cookie))?.sessionId ?? "";
}

function confirmedBefore({ ownerId }: TestOwner, seconds: number) {
  const confirmedAt = secondsAfter(systemClock.now(), -seconds);
  return prisma().ownerSession.updateMany({ where: { ownerId }, data: { confirmedAt } });
}

const actionsOf = async (ownerId: string) =>
  (await readSecurityLog(ownerId, { limit: 50 })).entries.map(({ action }) => action);

test("an owner ends one session of the account, and no one else's", async () => {
  const owner = await signedInOwner();
  const [other, stranger] = [await signInAgain(owner), await signedInOwner()];
  const actor = await findOwnerActor(owner.cookie);
  assert.ok(actor);
  assert.deepEqual(await readAccount(actor), { email: owner.email, hasPassword: false });
  const sessions = await readSessions(actor);
  assert.deepEqual(
    sessions.map(({ sessionId, isThis }) => [sessionId, isThis]),
    [
      [await sessionIdOf(other), false],
      [await sessionIdOf(owner), true],
    ],
  );
  const ended = await callAsOwner(owner, "POST", END, { session_id: await sessionIdOf(other) });
  succeeded(ended);
  assert.equal(ended.headers.get("Clear-Site-Data"), null);
  assert.equal(await findOwnerActor(other.cookie), undefined);
  for (const id of [sessions[0]?.sessionId, await sessionIdOf(stranger), "ses_1111111111111111111111"]) {
    assert.equal((await callAsOwner(owner, "POST", END, { session_id: id })).error?.code, "not_found");
  }
  assert.ok(await findOwnerActor(stranger.cookie));
  assert.deepEqual((await actionsOf(owner.ownerId)).slice(0, 1), ["end_session"]);
});

test("signing out everywhere ends every session, including this one", async () => {
  const owner = await signedInOwner();
  const others = [await signInAgain(owner), await signInAgain(owner)];
  const bystander = await signedInOwner();
  const everywhere = () =>
    callAsOwner<{ revoked_sessions: number }>(owner, "POST", "/api/v1/owners/sign_out_everywhere.php");
  assert.equal((await everywhere()).body.revoked_sessions, 3);
  for (const { cookie } of [owner, ...others]) assert.equal(await findOwnerActor(cookie), undefined);
  assert.equal((await everywhere()).status, 401);
  assert.ok(await findOwnerActor(bystander.cookie));
});

test("ending the current session removes its cookie from the browser", async () => {
  const owner = await signedInOwner();
  const { status, headers } = await callAsOwner(owner, "POST", END, { session_id: await sessionIdOf(owner) });
  assert.equal(status, 200);
  assert.equal(headers.get("Clear-Site-Data"), '"cache", "storage"');
  assert.match(headers.get("Set-Cookie") ?? "", /^next-auth\.session-token=; Path=\/; Max-Age=0;/);
  assert.equal(await findOwnerActor(owner.cookie), undefined);
});

test("signing out clears the browser's storage, and the device stays known", async () => {
  const { email, ownerId } = await signedInOwner({ password: PASSWORD });
  const browser = new TestBrowser();
  await browser.signIn(email, PASSWORD);
  const answer = await browser.signOut();
  assert.equal(answer.headers.get("Clear-Site-Data"), '"cache", "storage"');
  assert.ok(knownDevice(browser.cookie, ownerId));
  assert.deepEqual((await actionsOf(ownerId)).slice(0, 2), ["sign_out", "sign_in"]);
});

test("the security log shows what happened, from which address and in which browser", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const stranger = await signedInOwner();
  await new TestBrowser("198.51.100.9").signIn(owner.email, "wrong password");
  const { publicId } = await joined(owner);
  succeeded(await actAsOwner(owner, "rotate_key", { public_id: publicId }));
  const { entries } = await readSecurityLog(owner.ownerId, { limit: 50 });
  assert.deepEqual(
    entries.map(({ action, subjectId }) => [action, subjectId]),
    [
      ["rotate_key", publicId],
      ["join", publicId],
      ["sign_in_failed", owner.ownerId],
    ],
  );
  assert.equal(entries[2]?.data?.address, "198.51.100.9");
  assert.equal(entries[0]?.data?.address, "192.0.2.1");
  assert.equal(entries[0]?.data?.device, "A program that does not say what it is");
  const first = await readSecurityLog(owner.ownerId, { limit: 2 });
  assert.equal(first.entries.length, 2);
  const rest = await readSecurityLog(owner.ownerId, { before: first.nextBefore ?? 0, limit: 2 });
  assert.deepEqual([rest.entries.length, rest.nextBefore], [1, null]);
  assert.deepEqual((await readSecurityLog(stranger.ownerId, { limit: 50 })).entries, []);
});

type Export = {
  account: { email: string };
  sign_in_methods: { password: boolean; passkeys: unknown[] };
  sessions: unknown[];
  security_log: { action: string }[];
  identities: { public_id: string }[];
  profiles: { public_id: string; posts: { body: string }[] }[];
};

test("the export contains everything of an account, with all its posts, and no secrets", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const [first, second] = [await joined(owner), await joined(owner)];
  const proposed = await act<{ public_id: string }>("register", { name: "Not mine", ...CONSENTED });
  for (let place = 0; place < 120; place += 1) {
    succeeded(await actAs(first, "post", { title: `Number ${place}`, body: `Text ${place}` }), 201);
  }
  const setUp = { public_id: second.publicId, homepage_url: "https://quill.example.com/run" };
  const { body: service } = await actAsOwner<{ management_token: string }>(owner, "setup_service", setUp);
  const answer = await callAsOwner<Export>(owner, "GET", EXPORT);
  succeeded(answer);
  const { body } = answer;
  assert.match(answer.headers.get("Content-Disposition") ?? "", /^attachment/);
  assert.equal(answer.headers.get("Cache-Control"), "no-store");
  assert.equal(body.account.email, owner.email);
  assert.deepEqual([body.sign_in_methods.password, body.sessions.length], [true, 1]);
  const posts = Object.fromEntries(body.profiles.map(({ public_id, posts }) => [public_id, posts.length]));
  assert.deepEqual(posts, { [first.publicId]: 120, [second.publicId]: 0 });
  assert.deepEqual(
    body.identities.map(({ public_id }) => public_id),
    [second.publicId],
  );
  assert.ok(body.security_log.some(({ action }) => action === "export"));
  const text = JSON.stringify(body);
  const { passwordHash } = await prisma().owner.findUniqueOrThrow({ where: { id: owner.ownerId } });
  for (const secret of [first.key, service.management_token, passwordHash ?? "", proposed.body.public_id]) {
    assert.ok(secret.length > 0 && !text.includes(secret));
  }
});

test("the export has the limits, templates, dispute statements, messages, quotes, offers and rehearsals of the owner's identities", async () => {
  const owner = await signedInOwner();
  const requester = await ownedAgent(owner);
  await pool().query(
    `INSERT INTO owner_limits (identity_id, per_task_pence, blocked, updated_at) VALUES ($1, 90000, '{fleet.test}', now())`,
    [requester.publicId],
  );
  const template = { kind: "task", name: "Weekly", fields: { title: "Count" } };
  succeeded(await callAs(requester, "POST", "/api/v1/agents/template_save.php", template));
  const work = await taskAt("submitted", { requester, provider: await verifiedAgent() });
  const { dispute } = await did(requester, "dispute", work, { reason: "Half is missing." });
  const said = { dispute_id: dispute?.dispute_id, statement: "The second half." };
  succeeded(await callAs(requester, "POST", "/api/v1/jobs/dispute_statement.php", said), 201);
  const written = { task_id: work.taskId, body: "Where is it?" };
  for (const agent of [requester, work.provider])
    succeeded(await callAs(agent, "POST", "/api/v1/jobs/message.php", written), 201);
  const { task_id } = await postTask(await verifiedAgent(), { open_to: "quotes" });
  const quote = { task_id, amount_pence: 300, note: "By tomorrow." };
  succeeded(await callAs(requester, "POST", "/api/v1/jobs/quote.php", quote), 201);
  const offer = await publishOffer(requester, { example_input: "A text." });
  succeeded(await callAs(requester, "POST", "/api/v1/agents/rehearse.php", { offer_id: offer.offer_id }), 202);
  const { body } = await callAsOwner<{ identities: Record<string, unknown>[] }>(owner, "GET", EXPORT);
  assert.partialDeepStrictEqual(body.identities[0]?.quotes as never, [quote]);
  const { offers, rehearsals } = body.identities[0] as { offers: object[]; rehearsals: object[] };
  assert.partialDeepStrictEqual(offers as never, [
    { offer_id: offer.offer_id, orders_completed: 0, last_rehearsal: null },
  ]);
  assert.partialDeepStrictEqual(rehearsals as never, [{ offer_id: offer.offer_id, state: "running" }]);
  const { limits, templates, messages, dispute_statements: statements } = body.identities[0] as Record<string, never>;
  assert.partialDeepStrictEqual(limits, { per_task_pence: 90_000, per_day_pence: null, blocked: ["fleet.test"] });
  assert.partialDeepStrictEqual(templates, [template]);
  assert.partialDeepStrictEqual(statements, [{ ...said, task_id: work.taskId, number: 1 }]);
  assert.partialDeepStrictEqual(messages, [{ ...written, to: work.provider.publicId }]);
  assert.equal((messages as unknown as unknown[]).length, 1);
});

test("the export names the subject of each of the owner's reports", async () => {
  const owner = await signedInOwner();
  const { publicId } = await joined(await signedInOwner());
  const fields = { subject: publicId, reason: "Look at this." };
  succeeded(await callAsOwner(owner, "POST", "/api/v1/owners/report.php", fields));
  const { body } = await callAsOwner<{ reports: Record<string, unknown>[] }>(owner, "GET", EXPORT);
  assert.deepEqual(
    body.reports.map(({ subject_kind, subject_id, post_id }) => [subject_kind, subject_id, post_id]),
    [["agent", publicId, null]],
  );
});

test("exporting and deleting need a confirmation within five minutes", async () => {
  const owner = await signedInOwner();
  await confirmedBefore(owner, 301);
  for (const answer of [
    await callAsOwner(owner, "GET", EXPORT),
    await callAsOwner(owner, "POST", DELETE, { confirm: owner.email }),
  ]) {
    assert.deepEqual([answer.status, answer.error?.code, answer.error?.reason], [403, "forbidden", "step_up_required"]);
  }
  await confirmedBefore(owner, 290);
  succeeded(await callAsOwner(owner, "GET", EXPORT));
});

test("an owner can export five times an hour", async () => {
  const owner = await signedInOwner();
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let time = 0; time < 5; time += 1) succeeded(await callAsOwner(owner, "GET", EXPORT));
  const { status, headers } = await callAsOwner(owner, "GET", EXPORT);
  assert.equal(status, 429);
  assert.ok(Number(headers.get("Retry-After")) > 60);
});
