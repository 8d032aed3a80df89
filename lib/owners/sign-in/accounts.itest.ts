import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, testService } from "#testing/client.ts";
import { actAsOwner } from "#testing/community.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { canSignIn, PASSWORD } from "#testing/sign-in.ts";
import { findBySession, findOwnerActor } from "../sessions/session.ts";
import { externalSignIn } from "./external-sign-in.ts";

testService();

const REGISTER = "/api/v1/owners/register.php";
const OTHER = "another staple entirely";
let made = 0;

function person(overrides: object = {}) {
  made += 1;
  return { name: "Ada Lovelace", email: `account-${made}@example.com`, password: PASSWORD, ...overrides };
}

test("signing up creates an account that can sign in, with its password stored only as argon2id", async () => {
  const body = person({ email: "Grace@Example.COM" });
  succeeded(await call("POST", REGISTER, { body }));
  const owner = await prisma().owner.findUniqueOrThrow({ where: { email: "grace@example.com" } });
  assert.equal(owner.role, "owner");
  assert.match(owner.passwordHash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.ok(await canSignIn("grace@example.com", PASSWORD));
});

test("signing up with a registered address answers like a new one, and changes nothing", async () => {
  const known = person();
  const first = await call("POST", REGISTER, { body: known });
  const again = await call("POST", REGISTER, { body: { ...known, name: "Mallory", password: OTHER } });
  assert.deepEqual([again.status, again.body], [first.status, first.body]);
  assert.deepEqual([...again.headers.keys()].sort(), [...first.headers.keys()].sort());
  const owner = await prisma().owner.findUniqueOrThrow({ where: { email: known.email } });
  assert.equal(owner.name, known.name);
  assert.ok(await canSignIn(known.email, PASSWORD));
  assert.ok(!(await canSignIn(known.email, OTHER)));
});

test("a password that is easy to guess is refused, however long it is", async () => {
  for (const password of [
    "123456789012",
    "passwordpassword",
    "qwertyuiop12",
    "aaaaaaaaaaaaaaaaaaaa",
    "a".repeat(200),
    "abcdefghijklmnop",
    "iloveyou123456",
  ]) {
    const { error } = await call("POST", REGISTER, { body: person({ password }) });
    assert.equal(error?.code, "invalid_input", password);
    assert.deepEqual(
      error?.field_errors?.map(({ path, message }) => [path, message.startsWith("is too easy to guess: use")]),
      [["password", true]],
    );
  }
});

test("spaces around a password are part of it, and control characters are refused", async () => {
  succeeded(await call("POST", REGISTER, { body: person({ password: "  tqvbx kmrz  " }) }));
  const { error } = await call("POST", REGISTER, { body: person({ password: "correct horse\u0000 battery" }) });
  assert.equal(error?.code, "invalid_input");
});

test("of many simultaneous sign-ups with one address exactly one gets the account", async () => {
  const body = person();
  const passwords = Array.from({ length: 8 }, (_, place) => `a password of number ${place}`);
  await Promise.all(passwords.map((password) => call("POST", REGISTER, { body: { ...body, password } })));
  const open = await Promise.all(passwords.map((password) => canSignIn(body.email, password)));
  assert.equal(open.filter(Boolean).length, 1);
});

test("the error names every field that is wrong", async () => {
  const cases: [object, string[]][] = [
    [{ name: "A" }, ["name"]],
    [{ email: "nobody" }, ["email"]],
    [{ email: `${"x".repeat(250)}@example.com` }, ["email"]],
    [{ password: "short" }, ["password"]],
    [{ password: "x".repeat(201) }, ["password"]],
    [{ password: "x".repeat(11) }, ["password"]],
    [{ email: "someone@example.com", password: "Someone@example.com" }, ["password"]],
    [{ email: "someone@example.com", password: "the SOMEONE of old" }, ["password"]],
    [{ name: "Grace Hopper", password: "ships and hopper cables" }, ["password"]],
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

test("new accounts are limited per hour and address, separately from other registrations", async () => {
  await configure({ RATE_LIMIT_SCALE: "0.05" });
  const sign = async (address: string) => (await call("POST", REGISTER, { body: person(), address })).status;
  const statuses = [await sign("203.0.113.1"), await sign("203.0.113.1"), await sign("203.0.113.1")];
  assert.deepEqual(statuses, [200, 200, 200]);
  const refused = await call("POST", REGISTER, { body: person(), address: "203.0.113.1" });
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("Retry-After")) > 60);
  assert.equal(await sign("203.0.113.2"), 200);
  await configure();
});

const client = { address: "192.0.2.9", userAgent: null, cookie: null };
const ctx = () => ({ actor: { kind: "visitor" as const }, clock: systemClock, requestId: newId("req"), client });

test("signing in through another service opens the same account every time", async () => {
  const account = { provider: "github" as const, subject: "17", email: "Octo@example.com", name: "  Octo\u202e Cat " };
  const first = await externalSignIn(ctx(), account);
  const second = await externalSignIn(ctx(), { ...account, email: "changed@example.com" });
  assert.notEqual(first.sid, second.sid);
  const owner = await prisma().owner.findUniqueOrThrow({
    where: { email: "octo@example.com" },
    include: { sessions: true },
  });
  assert.deepEqual([owner.name, owner.passwordHash, owner.sessions.length], ["Octo Cat", null, 2]);
});

test("a verified sign-in takes over an unverified account with the same address that was never used", async () => {
  const squatter = await signedInOwner({ password: PASSWORD, name: "Mallory" });
  const { ownerId, email } = squatter;
  const now = systemClock.now();
  await prisma().ownerLogin.create({ data: { provider: "google", subject: "17", ownerId, createdAt: now } });
  await prisma().ownerTotp.create({ data: { ownerId, secret: Uint8Array.of(1), createdAt: now, confirmedAt: now } });
  const { sid, awaitsFactor } = await externalSignIn(ctx(), {
    provider: "github",
    subject: "20",
    email,
    name: "Rightful Owner",
  });
  assert.ok(!awaitsFactor, "the squatter's second factor asks for nothing");
  assert.equal((await findBySession(sid))?.id, ownerId);
  const owner = await prisma().owner.findUniqueOrThrow({ where: { id: ownerId }, include: { logins: true } });
  assert.deepEqual([owner.name, owner.passwordHash], ["Rightful Owner", null]);
  assert.ok(owner.emailVerifiedAt);
  assert.deepEqual(
    owner.logins.map(({ provider, subject }) => [provider, subject]),
    [["github", "20"]],
  );
  assert.equal(await findOwnerActor(squatter.cookie), undefined);
  assert.ok(!(await canSignIn(email, PASSWORD)));
});

test("a verified sign-in does not take over an account that is in use, verified, disabled or an administrator's", async () => {
  const now = systemClock.now();
  const withProfile = await signedInOwner({ password: PASSWORD });
  succeeded(await actAsOwner(withProfile, "join", { name: "Quill", ...CONSENTED }), 201);
  const administrator = await signedInOwner({ password: PASSWORD, role: "administrator" });
  const [verified, disabled] = [
    await signedInOwner({ password: PASSWORD }),
    await signedInOwner({ password: PASSWORD }),
  ];
  await prisma().owner.update({ where: { id: verified.ownerId }, data: { emailVerifiedAt: now } });
  await prisma().owner.update({ where: { id: disabled.ownerId }, data: { disabledAt: now } });
  for (const { email, ownerId } of [withProfile, administrator, verified, disabled]) {
    const account = { provider: "google" as const, subject: `of ${ownerId}`, email, name: "Mallory" };
    await assert.rejects(externalSignIn(ctx(), account), { code: "state_conflict" });
    assert.equal(await prisma().ownerLogin.count({ where: { subject: account.subject } }), 0);
    const owner = await prisma().owner.findUniqueOrThrow({ where: { id: ownerId } });
    assert.ok(owner.passwordHash);
  }
});

test("another service's account without a verified address cannot sign in", async () => {
  const account = { provider: "github" as const, subject: "19", email: null, name: null };
  await assert.rejects(externalSignIn(ctx(), account), { code: "invalid_credential" });
});
