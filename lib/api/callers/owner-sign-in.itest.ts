import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { findOwnerActor } from "#lib/owners/sessions/session.ts";
import { call, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import { newAccount, PASSWORD, TestBrowser } from "#testing/sign-in.ts";

testService();

afterEach(() => configure());

/** A `Set-Cookie` line, its attributes in lower case. */
function setCookie(response: Response, name: string): string[] {
  const line = response.headers.getSetCookie().find((each) => each.startsWith(`${name}=`));
  return (line ?? "").toLowerCase().split("; ");
}

test("the right password opens a session whose cookie scripts and other sites cannot use", async () => {
  const browser = new TestBrowser();
  const response = await browser.signIn(await newAccount(), PASSWORD);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("X-Request-Id") ?? "", /^req_/);
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  const attributes = setCookie(response, "next-auth.session-token");
  for (const wanted of ["httponly", "samesite=lax", "path=/"]) assert.ok(attributes.includes(wanted), wanted);
  assert.ok(!attributes.includes("secure"), "over HTTP a browser would drop it");
  assert.ok(!attributes.some((each) => each.startsWith("domain=")));
  assert.equal((await findOwnerActor(browser.cookie))?.name, "Ada Lovelace");
});

test("under an https address every cookie is Secure, and bound to that by its name", async () => {
  await configure({ BASE_URL: "https://hall.example" });
  const browser = new TestBrowser();
  const response = await browser.signIn(await newAccount(), PASSWORD);
  assert.equal(response.status, 200);
  assert.ok(setCookie(response, "__Host-next-auth.session-token").includes("secure"));
  assert.ok(browser.cookies.has("__Host-next-auth.csrf-token"));
  for (const name of browser.cookies.keys()) assert.match(name, /^__Host-/);
  for (const line of response.headers.getSetCookie()) assert.match(line, /; Secure/);
  assert.ok(await findOwnerActor(browser.cookie));
});

test("capitals and surrounding spaces in an e-mail address make no difference", async () => {
  const email = await newAccount();
  const browser = new TestBrowser();
  assert.equal((await browser.signIn(` ${email.toUpperCase()} `, PASSWORD)).status, 200);
});

test("a wrong password, an unknown address and an account without a password get the same answer", async () => {
  const email = await newAccount();
  const { email: withoutPassword } = await signedInOwner();
  const answers = await Promise.all(
    [
      [email, "wrong password"],
      ["nobody@example.com", PASSWORD],
      [withoutPassword, PASSWORD],
      ["not an address", ""],
      [email, "x".repeat(100_000)],
    ].map(async ([address = "", password = ""]) => {
      const browser = new TestBrowser();
      const response = await browser.signIn(address, password);
      assert.equal(browser.cookies.has("next-auth.session-token"), false);
      return { status: response.status, body: await response.text() };
    }),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 401);
    assert.deepEqual(answer, answers[0]);
  }
});

test("sign-in fields that are not text count as a wrong password, not as an error", async () => {
  const browser = new TestBrowser();
  const csrfToken = await browser.csrfToken();
  for (const [email, password] of [
    [["a@example.com"], PASSWORD],
    [{ a: 1 }, 7],
    [null, null],
  ]) {
    const response = await browser.sendJson("/api/auth/callback/credentials", {
      csrfToken,
      json: "true",
      email,
      password,
    });
    assert.equal(response.status, 401);
  }
});

test("a password is compared exactly as it was chosen, including spaces around it", async () => {
  const body = { name: "Ada Lovelace", email: "spaces@example.com", password: ` ${PASSWORD} ` };
  succeeded(await call("POST", "/api/v1/owners/register.php", { body }));
  assert.equal((await new TestBrowser().signIn(body.email, PASSWORD)).status, 401);
  assert.equal((await new TestBrowser().signIn(body.email, body.password)).status, 200);
});

test("a disabled account says so only to someone who knows its password", async () => {
  const email = await newAccount();
  await prisma().owner.update({ where: { email }, data: { disabledAt: systemClock.now() } });
  const right = await new TestBrowser().signIn(email, PASSWORD);
  assert.equal(right.status, 403);
  const { error } = (await right.json()) as { error: { code: string; reason: string } };
  assert.deepEqual([error.code, error.reason], ["forbidden", "account_disabled"]);
  const wrong = await new TestBrowser().signIn(email, "wrong password");
  const unknown = await new TestBrowser().signIn("unknown@example.com", "wrong password");
  assert.deepEqual([wrong.status, await wrong.text()], [unknown.status, await unknown.text()]);
});

test("a password chosen under an earlier, shorter rule still works", async () => {
  const { email } = await signedInOwner({ password: "12345678" });
  assert.equal((await new TestBrowser().signIn(email, "12345678")).status, 200);
});

test("signing in requires the service's own origin and next-auth's token", async () => {
  const email = await newAccount();
  const browser = new TestBrowser();
  const csrfToken = await browser.csrfToken();
  const form = { csrfToken, email, password: PASSWORD, json: "true" };
  for (const origin of ["https://evil.example", "null", "http://localhost:3000.evil.example"]) {
    const response = await browser.send("/api/auth/callback/credentials", form, { Origin: origin });
    assert.equal(response.status, 403, origin);
    assert.equal(((await response.json()) as { error: { code: string } }).error.code, "csrf_failed");
  }
  for (const forged of [
    { ...form, csrfToken: "0".repeat(64) },
    { email, password: PASSWORD },
  ]) {
    const response = await browser.send("/api/auth/callback/credentials", forged);
    assert.equal(response.status, 403);
    assert.equal(browser.cookies.has("next-auth.session-token"), false);
  }
});

test("a program without an Origin can sign in, but cannot write with a session", async () => {
  const browser = new TestBrowser();
  const form = { csrfToken: await browser.csrfToken(), email: await newAccount(), password: PASSWORD, json: "true" };
  const signIn = () => browser.sendForm("/api/auth/callback/credentials", form);
  assert.equal((await signIn()).status, 200);
  assert.ok(await findOwnerActor(browser.cookie));
  assert.equal((await signIn()).status, 403);
  assert.equal((await browser.sendForm("/api/auth/signout", { csrfToken: form.csrfToken, json: "true" })).status, 403);
  assert.ok(await findOwnerActor(browser.cookie));
});

test("signing out ends the session itself, so that a copied cookie no longer works", async () => {
  const browser = new TestBrowser();
  await browser.signIn(await newAccount(), PASSWORD);
  const copied = browser.cookie;
  assert.ok(await findOwnerActor(copied));
  assert.equal((await browser.signOut()).status, 200);
  assert.equal(browser.cookies.has("next-auth.session-token"), false);
  assert.equal(await findOwnerActor(copied), undefined);
});

test("a return address on another site leads to the home page", async () => {
  const browser = new TestBrowser();
  const csrfToken = await browser.csrfToken();
  const form = { csrfToken, email: await newAccount(), password: PASSWORD, json: "true" };
  for (const callbackUrl of ["https://evil.example/", "//evil.example/", "http://localhost:3000@evil.example"]) {
    const response = await browser.send("/api/auth/callback/credentials", { ...form, callbackUrl });
    const { url } = (await response.json()) as { url: string };
    assert.equal(new URL(url).origin, "http://localhost:3000", callbackUrl);
  }
});

test("unneeded actions of next-auth do not exist", async () => {
  const browser = new TestBrowser();
  assert.equal((await browser.send("/api/auth/session")).status, 404);
  assert.equal((await browser.send("/api/auth/_log", { level: "error", code: "x" })).status, 404);
  assert.equal((await browser.send("/api/auth/")).status, 404);
  assert.equal((await browser.send("/api/auth/constructor")).status, 404);
  for (const path of ["callback/github", "signin/github", "csrf/x"])
    assert.equal((await browser.send(`/api/auth/${path}`)).status, 404, path);
});

test("next-auth shows no pages of its own, and other methods get the API's own error", async () => {
  const browser = new TestBrowser();
  const wrong = await browser.send("/api/auth/callback/credentials");
  assert.deepEqual([wrong.status, wrong.headers.get("Allow")], [405, "POST"]);
  assert.equal(((await wrong.json()) as { error: { code: string } }).error.code, "method_not_allowed");
  assert.equal((await browser.send("/api/auth/csrf", {})).status, 405);
  for (const [path, page] of [
    ["signin", "/sign-in"],
    ["signout", "/workspace"],
    ["error", "/sign-in"],
  ]) {
    const { status, headers } = await browser.send(`/api/auth/${path}`);
    assert.equal(status, 302, path);
    assert.equal(new URL(headers.get("Location") ?? "", "http://localhost:3000").pathname, page);
  }
});

test("too large a body is refused without being read", async () => {
  const response = await new TestBrowser().send("/api/auth/callback/credentials", { email: "x".repeat(300_000) });
  assert.equal(response.status, 413);
});

test("external sign-in services are offered only if configured", async () => {
  const offered = async () =>
    Object.keys((await (await new TestBrowser().send("/api/auth/providers")).json()) as object);
  assert.deepEqual(await offered(), ["credentials"]);
  await configure({ GITHUB_ID: "id", GITHUB_SECRET: "secret" });
  assert.deepEqual(await offered(), ["credentials", "github"]);
  await configure({ GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "secret" });
  assert.deepEqual(await offered(), ["credentials", "google"]);
});

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
