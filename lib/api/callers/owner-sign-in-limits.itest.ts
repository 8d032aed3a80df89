import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { newAccount, PASSWORD, TestBrowser } from "#testing/sign-in.ts";

testService();
beforeEach(() => configure());

test("after ten failures for an account and address, the right password has to wait for Retry-After too", async () => {
  const email = await newAccount();
  await configure({ RATE_LIMIT_SCALE: "1" });
  const browser = new TestBrowser("198.51.100.1");
  for (let attempt = 0; attempt < 10; attempt += 1) {
    assert.equal((await browser.signIn(email, "wrong password")).status, 401);
  }
  const refused = await browser.signIn(email.toUpperCase(), PASSWORD);
  assert.equal(refused.status, 429);
  const wait = Number(refused.headers.get("Retry-After"));
  assert.ok(wait > 0 && wait <= 900);
  assert.equal(browser.cookies.has("next-auth.session-token"), false);

  assert.equal((await browser.signIn(await newAccount(), PASSWORD)).status, 200, "another account");
  const elsewhere = await new TestBrowser("198.51.100.2").signIn(email, PASSWORD);
  assert.equal(elsewhere.status, 429, "another address has to wait its turn");
  const { error } = (await elsewhere.json()) as { error: { code: string; message: string } };
  assert.equal(error.code, "rate_limited");
  assert.match(
    error.message,
    /^Too many attempts to sign in have failed: the limit is 10 in 15 minutes\. Try again in \d+ seconds?\.$/,
  );
  assert.ok(Number(elsewhere.headers.get("Retry-After")) <= 60);
});

test("the owner can sign in at once on a known device, whatever others have tried", async () => {
  const email = await newAccount();
  const known = new TestBrowser("198.51.100.10");
  await known.signIn(email, PASSWORD);
  await known.signOut();
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let place = 20; place < 40; place += 1)
    await new TestBrowser(`198.51.100.${place}`).signIn(email, "wrong password");
  assert.equal((await new TestBrowser("198.51.100.11").signIn(email, PASSWORD)).status, 429);
  assert.equal((await known.signIn(email, PASSWORD)).status, 200);
});

test("attempts that were refused without a password check appear as one entry in the owner's log", async () => {
  const email = await newAccount();
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let place = 100; place < 140; place += 1)
    await new TestBrowser(`198.51.100.${place}`).signIn(email, "wrong password");
  const { id } = await prisma().owner.findUniqueOrThrow({ where: { email } });
  const events = await prisma().auditEvent.groupBy({ by: ["action"], where: { subjectId: id }, _count: true });
  const counts = Object.fromEntries(events.map(({ action, _count }) => [action, _count]));
  assert.equal(counts.sign_in_slowed, 1);
  assert.ok((counts.sign_in_failed ?? 0) <= 20, String(counts.sign_in_failed));
});

test("failures for an e-mail address without an account have the same limit", async () => {
  await configure({ RATE_LIMIT_SCALE: "1" });
  const browser = new TestBrowser("198.51.100.3");
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1)
    statuses.push((await browser.signIn("none@example.com", PASSWORD)).status);
  assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429]);
});

test("simultaneous wrong passwords are limited like consecutive ones", async () => {
  const email = await newAccount();
  await configure({ RATE_LIMIT_SCALE: "1" });
  const attempts = Array.from({ length: 25 }, () => new TestBrowser("198.51.100.4").signIn(email, "wrong password"));
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 15);
});

test("a successful sign-in does not count as a failure", async () => {
  const email = await newAccount();
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let time = 0; time < 12; time += 1)
    assert.equal((await new TestBrowser("198.51.100.5").signIn(email, PASSWORD)).status, 200);
});
