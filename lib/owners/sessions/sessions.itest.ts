import assert from "node:assert/strict";
import { test } from "node:test";
import { pool, prisma } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { signedInOwner, signInAgain } from "#testing/owner.ts";
import { newAccount, PASSWORD, TestBrowser } from "#testing/sign-in.ts";
import { forgetSessions } from "../jobs.ts";
import { knownDevice } from "../sign-in/known-device.ts";
import { sessionCookie } from "./cookies.ts";
import { confirmSession, findAwaitingFactor, findOwnerActor, IDLE_SECONDS, openSession } from "./session.ts";
import { writeSessionToken } from "./session-token.ts";
import { completeSignIn, setCookiesOf, startSession } from "./start-session.ts";

testService();

test("a live session's cookie identifies its owner, anywhere in the header", async () => {
  const owner = await signedInOwner({ name: "Ada" });
  for (const header of [owner.cookie, `theme=dark; ${owner.cookie}`, `${owner.cookie}; other=1`]) {
    const actor = await findOwnerActor(header);
    assert.deepEqual([actor?.id, actor?.name, actor?.role], [owner.ownerId, "Ada", "owner"]);
    assert.equal(actor?.csrfToken, owner.csrfToken);
  }
});

test("a missing, foreign or altered cookie, or one under another secret, identifies nobody", async () => {
  const { cookie } = await signedInOwner();
  const token = cookie.split("=")[1] ?? "";
  const changed = `${token.slice(0, -2)}${token.endsWith("A") ? "BB" : "AA"}`;
  const { name } = sessionCookie();
  for (const header of [null, "", "theme=dark", `${name}=`, `${name}=x`, `${name}=${changed}`, `x${name}=${token}`]) {
    assert.equal(await findOwnerActor(header), undefined, header ?? "none");
  }
  const original = process.env.AUTH_SECRET;
  await configure({ AUTH_SECRET: "another secret, which is long enough too" });
  const forged = await writeSessionToken("anything");
  await configure();
  assert.equal(process.env.AUTH_SECRET, original);
  assert.equal(await findOwnerActor(`${name}=${forged}`), undefined);
});

test("a cookie without its row in the database identifies nobody", async () => {
  assert.equal(await findOwnerActor(`${sessionCookie().name}=${await writeSessionToken("never-opened")}`), undefined);
});

test("revoked and expired sessions identify nobody, and the owner's other sessions stay live", async () => {
  const first = await signedInOwner();
  const second = await signInAgain(first);
  const third = await signInAgain(first);
  const digest = async (cookie: string) => (await findOwnerActor(cookie))?.sessionDigest ?? Buffer.of();
  const where = async (cookie: string) => ({ idDigest: Uint8Array.from(await digest(cookie)) });
  await prisma().ownerSession.update({ where: await where(first.cookie), data: { revokedAt: systemClock.now() } });
  await prisma().ownerSession.update({
    where: await where(second.cookie),
    data: { expiresAt: secondsAfter(systemClock.now(), -1) },
  });
  assert.equal(await findOwnerActor(first.cookie), undefined);
  assert.equal(await findOwnerActor(second.cookie), undefined);
  assert.equal((await findOwnerActor(third.cookie))?.id, first.ownerId);
});

test("the database stores only keyed digests of session IDs, and the cookie nothing about the person", async () => {
  const owner = await signedInOwner({ name: "Grace" });
  const sid = await openSession({ ownerId: owner.ownerId, userAgent: "x".repeat(1_000) });
  assert.ok(sid);
  const rows = await prisma().ownerSession.findMany({ where: { ownerId: owner.ownerId } });
  assert.equal(rows.length, 2);
  for (const { idDigest, userAgent } of rows) {
    assert.ok(!Buffer.from(idDigest).includes(sid));
    assert.ok((userAgent?.length ?? 0) <= 300);
  }
  assert.ok(!Buffer.from(owner.cookie).includes("Grace"));
});

function visiting(cookie: string | null = null): Context & { client: Client } {
  const client = { address: "192.0.2.7", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", cookie };
  return { actor: { kind: "visitor" }, clock: systemClock, requestId: newId("req"), client };
}

/** A `Cookie` header from `Set-Cookie` values. */
function cookieHeader(lines: string[]): string {
  return lines.map((line) => line.split(";", 1)[0]).join("; ");
}

async function accountWithTotp() {
  const email = await newAccount();
  const { id } = await prisma().owner.findUniqueOrThrow({ where: { email } });
  const now = systemClock.now();
  await prisma().ownerTotp.create({
    data: { ownerId: id, secret: Uint8Array.of(1), createdAt: now, confirmedAt: now },
  });
  return { email, id };
}

async function actionsOf(ownerId: string): Promise<string[]> {
  const events = await prisma().auditEvent.findMany({ where: { subjectId: ownerId }, orderBy: { seq: "asc" } });
  return events.map(({ action }) => action);
}

test("with a second factor, the right password only leads to the second step", async () => {
  const { email, id } = await accountWithTotp();
  const browser = new TestBrowser();
  const csrfToken = await browser.csrfToken();
  const form = { csrfToken, email, password: PASSWORD, callbackUrl: "/workspace/new?a=b" };
  const answer = await browser.send("/api/auth/callback/credentials", { ...form, json: "true" });
  assert.deepEqual(
    [answer.status, await answer.json()],
    [200, { url: "http://localhost:3000/sign-in/second-step?return_to=%2Fworkspace%2Fnew%3Fa%3Db" }],
  );
  assert.equal(await findOwnerActor(browser.cookie), undefined);
  assert.equal((await findAwaitingFactor(browser.cookie))?.id, id);
  assert.equal(knownDevice(browser.cookie, id), undefined, "the device is not known before the second step");
  const page = await browser.send("/api/auth/callback/credentials", form);
  assert.equal(new URL(page.headers.get("Location") ?? "").pathname, "/sign-in/second-step");
  assert.deepEqual((await actionsOf(id)).slice(-2), ["sign_in_first_step", "sign_in_first_step"]);
});

test("the second factor completes the session once, under a new ID", async () => {
  const { email, id } = await accountWithTotp();
  const browser = new TestBrowser();
  await browser.signIn(email, PASSWORD);
  const first = browser.cookie;
  const awaiting = await findAwaitingFactor(first);
  assert.ok(awaiting);
  const attempts = await Promise.allSettled([1, 2].map(() => completeSignIn(visiting(first), awaiting, "totp")));
  const [done, ...more] = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  assert.ok(done);
  assert.equal(more.length, 0, "of two at once one completes");
  const cookie = cookieHeader(await setCookiesOf(done));
  const owner = await findOwnerActor(cookie);
  assert.equal(owner?.id, id);
  assert.equal(owner?.sessionId, awaiting.sessionId);
  assert.ok(owner?.confirmedAt);
  assert.equal(await findOwnerActor(first), undefined, "the cookie of the first step is worth nothing");
  assert.equal(await findAwaitingFactor(first), undefined);
  assert.ok(knownDevice(cookie, id));
  assert.deepEqual((await actionsOf(id)).slice(-2), ["sign_in_first_step", "sign_in"]);
});

test("signing in again in the same browser ends its earlier session", async () => {
  const email = await newAccount();
  const browser = new TestBrowser();
  await browser.signIn(email, PASSWORD);
  const copied = browser.cookie;
  const elsewhere = new TestBrowser();
  await elsewhere.signIn(email, PASSWORD);
  await browser.signIn(email, PASSWORD);
  assert.equal(await findOwnerActor(copied), undefined);
  assert.ok(await findOwnerActor(browser.cookie));
  assert.ok(await findOwnerActor(elsewhere.cookie), "another browser's session stays");
});

test("a session ends after twelve hours without a request, and each request restarts that time", async () => {
  const { ownerId, cookie } = await signedInOwner();
  const usedBefore = (seconds: number) =>
    prisma().ownerSession.updateMany({
      where: { ownerId },
      data: { lastUsedAt: secondsAfter(systemClock.now(), -seconds) },
    });
  await usedBefore(IDLE_SECONDS - 60);
  assert.ok(await findOwnerActor(cookie));
  const { lastUsedAt } = await prisma().ownerSession.findFirstOrThrow({ where: { ownerId } });
  assert.ok(lastUsedAt > secondsAfter(systemClock.now(), -60));
  await usedBefore(IDLE_SECONDS + 1);
  assert.equal(await findOwnerActor(cookie), undefined);
});

test("confirming a session sets its time of confirmation, and no other session's", async () => {
  const owner = await signedInOwner();
  const actor = await findOwnerActor(owner.cookie);
  assert.ok(actor);
  const at = secondsAfter(systemClock.now(), 60);
  await confirmSession(actor.sessionDigest, at);
  assert.deepEqual((await findOwnerActor(owner.cookie))?.confirmedAt, at);
  const { email, id } = await accountWithTotp();
  const browser = new TestBrowser();
  await browser.signIn(email, PASSWORD);
  const awaiting = await findAwaitingFactor(browser.cookie);
  assert.ok(awaiting);
  await confirmSession(awaiting.sessionDigest, at);
  assert.equal((await prisma().ownerSession.findFirstOrThrow({ where: { ownerId: id } })).confirmedAt, null);
});

test("an account has at most a hundred sessions", async () => {
  const { ownerId, cookie } = await signedInOwner();
  for (let place = 0; place < 101; place += 1) await startSession(visiting(), { ownerId, how: "passkey" });
  assert.equal(await prisma().ownerSession.count({ where: { ownerId } }), 100);
  assert.equal(await findOwnerActor(cookie), undefined, "the oldest makes room");
});

test("sign-ins that stop at the second step end no session of the owner, and the latest can be completed", async () => {
  const { id: ownerId } = await accountWithTotp();
  const own = await startSession(visiting(), { ownerId, how: "passkey", complete: true });
  const cookie = cookieHeader(await setCookiesOf(own));
  let latest = await startSession(visiting(), { ownerId, how: "password" });
  for (let place = 0; place < 101; place += 1) latest = await startSession(visiting(), { ownerId, how: "password" });
  assert.equal(await prisma().ownerSession.count({ where: { ownerId } }), 100);
  assert.equal((await findOwnerActor(cookie))?.id, ownerId);
  assert.equal((await findAwaitingFactor(cookieHeader(await setCookiesOf(latest))))?.id, ownerId);
});

test("a device is known only to the accounts that signed in on it", async () => {
  const [mine, other] = [await signedInOwner(), await signedInOwner()];
  const { deviceCookie = "" } = await startSession(visiting(), { ownerId: mine.ownerId, how: "passkey" });
  const cookie = cookieHeader([deviceCookie]);
  const device = knownDevice(cookie, mine.ownerId);
  assert.ok(device);
  assert.equal(knownDevice(cookie, other.ownerId), undefined);
  assert.equal(knownDevice(cookie.replace(mine.ownerId, other.ownerId), other.ownerId), undefined, "forged");
  const both = await startSession(visiting(cookie), { ownerId: other.ownerId, how: "passkey" });
  const shared = cookieHeader([both.deviceCookie ?? ""]);
  assert.equal(knownDevice(shared, mine.ownerId), device, "two accounts share a browser");
  assert.ok(knownDevice(shared, other.ownerId));
  assert.equal(knownDevice(`${sessionCookie().name}=x`, mine.ownerId), undefined);
});

test("sessions that expired more than 30 days ago are deleted, however many; all others stay", async () => {
  const { ownerId } = await signedInOwner();
  await pool().query(
    `INSERT INTO owner_sessions (id_digest, id, owner_id, created_at, expires_at, last_used_at)
     SELECT sha256(n::text::bytea), 'ses_' || n, $1, now(), now() - CASE WHEN n <= 2500 THEN interval '31 days' ELSE interval '29 days' END, now()
     FROM generate_series(1, 2510) n`,
    [ownerId],
  );
  const count = async () => (await pool().query("SELECT count(*)::int AS count FROM owner_sessions")).rows[0].count;
  const all = await count();
  await forgetSessions({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_x" });
  assert.equal(await count(), all - 2_500);
});
