import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { closeLimiters } from "#lib/db/rate-limit.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { loadEnv } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, startTestService } from "#lib/testing/client.ts";
import { succeeded } from "#lib/testing/factories.ts";
import { browserHeaders, callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#lib/testing/owner.ts";
import { TestBrowser } from "#lib/testing/sign-in.ts";
import { externalSignIn } from "./external-sign-in.ts";
import { hashPassword } from "./password.ts";
import { findOwnerActor, openSession } from "./session.ts";

let service: Awaited<ReturnType<typeof startTestService>>;

before(async () => {
  service = await startTestService();
});

after(() => service.stop());

const REGISTER = "/api/v1/owners/register.php";
const CHANGE = "/api/v1/owners/password.php";
const EVERYWHERE = "/api/v1/owners/sign_out_everywhere.php";
const OLD = "correct horse battery";
const NEW = "another staple entirely";
let made = 0;

function person(overrides: object = {}) {
  made += 1;
  return { name: "Ada Lovelace", email: `account-${made}@example.com`, password: OLD, ...overrides };
}

/** An owner with the password `OLD`, signed in. */
async function ownerWithPassword(): Promise<TestOwner> {
  const owner = await signedInOwner();
  await prisma().owner.update({ where: { id: owner.ownerId }, data: { passwordHash: await hashPassword(OLD) } });
  return owner;
}

const canSignIn = async (email: string, password: string) =>
  (await new TestBrowser().signIn(email, password)).status === 200;

test("signing up makes an account that signs in, its password kept as argon2id alone", async () => {
  const body = person({ email: "Grace@Example.COM" });
  succeeded(await call("POST", REGISTER, { body }));
  const owner = await prisma().owner.findUniqueOrThrow({ where: { email: "grace@example.com" } });
  assert.equal(owner.role, "owner");
  assert.match(owner.passwordHash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(await canSignIn("grace@example.com", OLD));
});

test("signing up with a known address answers like with a new one, and changes nothing", async () => {
  const known = person();
  const first = await call("POST", REGISTER, { body: known });
  const again = await call("POST", REGISTER, { body: { ...known, name: "Mallory", password: NEW } });
  assert.deepEqual([again.status, again.body], [first.status, first.body]);
  assert.deepEqual([...again.headers.keys()].sort(), [...first.headers.keys()].sort());
  const owner = await prisma().owner.findUniqueOrThrow({ where: { email: known.email } });
  assert.equal(owner.name, known.name);
  assert.ok(await canSignIn(known.email, OLD));
  assert.ok(!(await canSignIn(known.email, NEW)));
});

test("of many who sign up at once with one address exactly one gets the account", async () => {
  const body = person();
  const passwords = Array.from({ length: 8 }, (_, place) => `a password of number ${place}`);
  await Promise.all(passwords.map((password) => call("POST", REGISTER, { body: { ...body, password } })));
  const open = await Promise.all(passwords.map((password) => canSignIn(body.email, password)));
  assert.equal(open.filter(Boolean).length, 1);
});

test("every field that is wrong is named", async () => {
  const cases: [object, string[]][] = [
    [{ name: "A" }, ["name"]],
    [{ email: "nobody" }, ["email"]],
    [{ email: `${"x".repeat(250)}@example.com` }, ["email"]],
    [{ password: "short" }, ["password"]],
    [{ password: "x".repeat(201) }, ["password"]],
    [{ email: "someone@example.com", password: "Someone@example.com" }, ["password"]],
    [{ name: "", email: "", password: "" }, ["name", "email", "password"]],
    [{ role: "administrator" }, ["role"]],
  ];
  for (const [overrides, expected] of cases) {
    const { status, body } = await call<{ error: { field_errors: { path: string }[] } }>("POST", REGISTER, {
      body: person(overrides),
    });
    assert.equal(status, 422);
    assert.deepEqual([...new Set(body.error.field_errors.map(({ path }) => path))], expected);
  }
});

test("accounts are limited by the hour and address, apart from other registrations", async () => {
  const shared = globalThis as { guildhallEnv?: unknown };
  const env = shared.guildhallEnv;
  shared.guildhallEnv = loadEnv({ ...process.env, RATE_LIMIT_SCALE: "0.05" });
  await closeLimiters();
  const sign = async (address: string) => (await call("POST", REGISTER, { body: person(), address })).status;
  const statuses = [await sign("203.0.113.1"), await sign("203.0.113.1"), await sign("203.0.113.1")];
  assert.deepEqual(statuses, [200, 200, 200]);
  const refused = await call("POST", REGISTER, { body: person(), address: "203.0.113.1" });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("Retry-After")) > 60);
  assert.equal(await sign("203.0.113.2"), 200);
  shared.guildhallEnv = env;
  await closeLimiters();
});

test("changing the password ends the other sessions, keeps this one, and the old password is worth nothing", async () => {
  const owner = await ownerWithPassword();
  const other = await signInAgain(owner);
  const answer = await callAsOwner<{ revoked_sessions: number }>(owner, "POST", CHANGE, {
    current_password: OLD,
    new_password: NEW,
  });
  succeeded(answer);
  assert.equal(answer.body.revoked_sessions, 1);
  assert.ok(await findOwnerActor(owner.cookie));
  assert.equal(await findOwnerActor(other.cookie), undefined);
  assert.ok(!(await canSignIn(owner.email, OLD)));
  assert.ok(await canSignIn(owner.email, NEW));
});

test("a password that was right when it was checked opens nothing once it has been changed", async () => {
  const owner = await ownerWithPassword();
  const { passwordHash } = await prisma().owner.findUniqueOrThrow({ where: { id: owner.ownerId } });
  const opening = { ownerId: owner.ownerId, userAgent: null, passwordHash: passwordHash ?? "" };
  assert.ok(await openSession(opening));
  succeeded(await callAsOwner(owner, "POST", CHANGE, { current_password: OLD, new_password: NEW }));
  assert.equal(await openSession(opening), undefined);
});

test("the current password must be right, and trying it is limited like signing in", async () => {
  const owner = await ownerWithPassword();
  const shared = globalThis as { guildhallEnv?: unknown };
  const env = shared.guildhallEnv;
  shared.guildhallEnv = loadEnv({ ...process.env, RATE_LIMIT_SCALE: "1" });
  await closeLimiters();
  const change = (current: string) =>
    callAsOwner(owner, "POST", CHANGE, { current_password: current, new_password: NEW });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { status, error } = await change("a wrong one");
    assert.equal(status, 422);
    assert.equal(error?.field_errors?.[0]?.path, "current_password");
  }
  assert.equal((await change(OLD)).status, 429);
  shared.guildhallEnv = env;
  await closeLimiters();
  assert.ok(await canSignIn(owner.email, OLD));
});

test("of two changes at once from the same password one is made and one is told", async () => {
  const owner = await ownerWithPassword();
  const answers = await Promise.all(
    [NEW, `${NEW} too`].map((password) =>
      callAsOwner(owner, "POST", CHANGE, { current_password: OLD, new_password: password }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.equal(statuses[0], 200);
  assert.ok(statuses[1] === 409 || statuses[1] === 422, String(statuses[1]));
});

test("signing out everywhere ends every session, this one too", async () => {
  const owner = await signedInOwner();
  const others = [await signInAgain(owner), await signInAgain(owner)];
  const bystander = await signedInOwner();
  const answer = await callAsOwner<{ revoked_sessions: number }>(owner, "POST", EVERYWHERE);
  assert.equal(answer.body.revoked_sessions, 3);
  for (const { cookie } of [owner, ...others]) assert.equal(await findOwnerActor(cookie), undefined);
  assert.equal((await callAsOwner(owner, "POST", EVERYWHERE)).status, 401);
  assert.ok(await findOwnerActor(bystander.cookie));
});

test("writes take the exact origin and the token of this very session", async () => {
  const owner = await signedInOwner();
  const again = await signInAgain(owner);
  const good = browserHeaders(owner);
  const bad: Record<string, string>[] = [
    { ...good, Origin: "https://evil.example" },
    { ...good, Origin: `${good.Origin}/` },
    { ...good, "X-CSRF-Token": "" },
    { ...good, "X-CSRF-Token": again.csrfToken },
    { ...good, "X-CSRF-Token": `${owner.csrfToken}x` },
  ];
  for (const headers of bad) {
    const { status, error } = await call("POST", EVERYWHERE, { headers, body: {} });
    assert.deepEqual([status, error?.code], [403, "csrf_failed"]);
  }
  assert.ok(await findOwnerActor(owner.cookie));
});

const visit = { address: "192.0.2.9", userAgent: null };
const ctx = () => ({ actor: { kind: "visitor" as const }, clock: systemClock, requestId: newId("req") });

test("another service's account opens the same owner's account every time", async () => {
  const account = { provider: "github", subject: "17", email: "Octo@example.com", name: "  Octo\u202e Cat " };
  const first = await externalSignIn(ctx(), account, visit);
  const second = await externalSignIn(ctx(), { ...account, email: "changed@example.com" }, visit);
  assert.notEqual(first, second);
  const owner = await prisma().owner.findUniqueOrThrow({
    where: { email: "octo@example.com" },
    include: { sessions: true },
  });
  assert.deepEqual([owner.name, owner.passwordHash, owner.sessions.length], ["Octo Cat", null, 2]);
});

test("another service's account opens no account that has its address by a password", async () => {
  const { email } = await ownerWithPassword();
  const account = { provider: "google", subject: "18", email, name: "Mallory" };
  await assert.rejects(externalSignIn(ctx(), account, visit), { code: "state_conflict" });
  assert.equal(await prisma().ownerLogin.count({ where: { subject: "18" } }), 0);
});

test("another service's account without an address opens nothing", async () => {
  const account = { provider: "github", subject: "19", email: null, name: null };
  await assert.rejects(externalSignIn(ctx(), account, visit), { code: "invalid_credential" });
});
