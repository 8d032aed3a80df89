import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { signedInOwner } from "#testing/owner.ts";
import { newAccount, PASSWORD, TestBrowser } from "#testing/sign-in.ts";
import { knownDevice } from "../sign-in/known-device.ts";
import { sessionCookie } from "./cookies.ts";
import { confirmSession, findAwaitingFactor, findOwnerActor, IDLE_SECONDS } from "./session.ts";
import { completeSignIn, setCookiesOf, startSession } from "./start-session.ts";

testService();

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

test("a complete proof needs no second step", async () => {
  const { id } = await accountWithTotp();
  const started = await startSession(visiting(), { ownerId: id, how: "passkey", complete: true });
  assert.equal((await findOwnerActor(cookieHeader(await setCookiesOf(started))))?.id, id);
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

test("a disabled account cannot open a session", async () => {
  const { ownerId } = await signedInOwner();
  await prisma().owner.update({ where: { id: ownerId }, data: { disabledAt: systemClock.now() } });
  await assert.rejects(startSession(visiting(), { ownerId, how: "passkey" }), {
    code: "forbidden",
    details: { reason: "account_disabled" },
  });
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
