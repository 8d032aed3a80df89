import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import {
  addPasskey,
  afterPassword,
  codeOf,
  cookieOf,
  factor,
  forgetSteps,
  ownerWithTotp,
  securityLogOf,
  sessionOf,
  signInByPasskey,
  wrongCodeOf,
} from "#testing/factors.ts";
import { browserHeaders } from "#testing/owner.ts";
import { PASSWORD, TestBrowser } from "#testing/sign-in.ts";
import { findAwaitingFactor, findOwnerActor } from "../sessions/session.ts";

testService();
afterEach(() => configure());

test("password and code together sign in, under a session that the first cookie and its token cannot use", async () => {
  const { owner, secret } = await ownerWithTotp(PASSWORD);
  const browser = new TestBrowser();
  await browser.signIn(owner.email, PASSWORD);
  const awaiting = await sessionOf(owner, browser.cookie);
  const answer = await factor<{ recovery_codes_left: number }>(awaiting, "second_step", { code: codeOf(secret) });
  succeeded(answer);
  assert.equal(answer.body.recovery_codes_left, 10);
  const cookie = cookieOf(answer);
  const full = await sessionOf(owner, cookie);
  assert.ok(await findOwnerActor(cookie));
  assert.notEqual(full.csrfToken, awaiting.csrfToken);
  assert.equal(await findOwnerActor(awaiting.cookie), undefined);
  assert.equal(await findAwaitingFactor(awaiting.cookie), undefined);
  assert.equal(outcome(await factor(awaiting, "second_step", { code: codeOf(secret) })), "401 invalid_credential");
});

test("a code works once, and then no code of an earlier time step works", async () => {
  const { owner, secret } = await ownerWithTotp();
  const [now, before] = [codeOf(secret), codeOf(secret, -1)];
  succeeded(await factor(await afterPassword(owner), "second_step", { code: now }));
  for (const code of [now, before]) {
    assert.equal((await factor(await afterPassword(owner), "second_step", { code })).status, 422);
    assert.equal((await factor(owner, "step_up", { code })).status, 422);
  }
});

test("of many simultaneous sign-ins with one code, one succeeds", async () => {
  const { owner, secret } = await ownerWithTotp();
  const sessions = [];
  for (let count = 0; count < 5; count += 1) sessions.push(await afterPassword(owner));
  const code = codeOf(secret);
  const answers = await Promise.all(sessions.map((session) => factor(session, "second_step", { code })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422]);
});

test("codes of the time steps before and after are accepted, and those further away are not", async () => {
  const { owner, secret } = await ownerWithTotp();
  for (const [step, status] of [
    [-3, 422],
    [3, 422],
    [-1, 200],
    [0, 200],
    [1, 200],
  ] as const) {
    const answer = await factor(await afterPassword(owner), "second_step", { code: codeOf(secret, step) });
    // A new time step may begin between creating and checking a code.
    if (answer.status !== status) await forgetSteps(owner.ownerId);
    assert.equal(answer.status, status, String(step));
  }
});

test("a recovery code signs in once, however it is typed, and is in the security log", async () => {
  const { owner, recoveryCodes } = await ownerWithTotp();
  const [code = "", other = ""] = recoveryCodes;
  const typed = ` ${code.toUpperCase().replace("-", " ").replaceAll("0", "O").replaceAll("1", "I")}`;
  const answer = await factor<{ recovery_codes_left: number }>(await afterPassword(owner), "second_step", {
    recovery_code: typed,
  });
  succeeded(answer);
  assert.equal(answer.body.recovery_codes_left, 9);
  const again = await factor(await afterPassword(owner), "second_step", { recovery_code: code });
  assert.deepEqual([again.status, again.error?.field_errors?.[0]?.path], [422, "recovery_code"]);
  assert.deepEqual((await securityLogOf(owner.ownerId)).slice(-5), [
    "sign_in_first_step",
    "use_recovery_code",
    "sign_in",
    "sign_in_first_step",
    "second_factor_failed",
  ]);
  const sessions = [await afterPassword(owner), await afterPassword(owner), await afterPassword(owner)];
  const answers = await Promise.all(
    sessions.map((session) => factor(session, "second_step", { recovery_code: other })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422]);
});

test("another account's recovery code does not work", async () => {
  const [one, other] = [await ownerWithTotp(), await ownerWithTotp()];
  const answer = await factor(await afterPassword(one.owner), "second_step", { recovery_code: other.recoveryCodes[0] });
  assert.equal(answer.status, 422);
});

test("five failed attempts end the session that awaits the factor, and the password starts again", async () => {
  const { owner, secret, recoveryCodes } = await ownerWithTotp(PASSWORD);
  const awaiting = await afterPassword(owner);
  const tries = [
    { code: wrongCodeOf(secret) },
    { recovery_code: "aaaaa-aaaaa" },
    { code: wrongCodeOf(secret) },
    { recovery_code: "bbbbb-bbbbb" },
  ];
  for (const fields of tries) assert.equal((await factor(awaiting, "second_step", fields)).status, 422);
  const fifth = await factor(awaiting, "second_step", { code: wrongCodeOf(secret) });
  assert.equal(outcome(fifth), "401 invalid_credential");
  assert.equal(await findAwaitingFactor(awaiting.cookie), undefined);
  assert.equal(outcome(await factor(awaiting, "second_step", { code: codeOf(secret) })), "401 invalid_credential");
  succeeded(await factor(await afterPassword(owner), "second_step", { recovery_code: recoveryCodes[0] }));
});

test("many simultaneous wrong codes from one session get at most five attempts", async () => {
  const { owner, secret } = await ownerWithTotp();
  const awaiting = await afterPassword(owner);
  const code = wrongCodeOf(secret);
  const answers = await Promise.all(Array.from({ length: 12 }, () => factor(awaiting, "second_step", { code })));
  assert.ok(answers.filter(({ status }) => status === 422).length <= 4);
  const failures = (await securityLogOf(owner.ownerId)).filter((action) => action === "second_factor_failed");
  assert.ok(failures.length <= 5);
  assert.equal(await findAwaitingFactor(awaiting.cookie), undefined);
});

test("ten wrong codes for an account stop further guesses from every session and address, and its passkeys still work", async () => {
  const { owner, secret, recoveryCodes } = await ownerWithTotp();
  const { passkey } = await addPasskey(owner);
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let count = 0; count < 10; count += 1) {
    const awaiting = count % 4 === 0 ? await afterPassword(owner) : undefined;
    const session = awaiting ?? owner;
    const path = `/api/v1/owners/${awaiting ? "second_step" : "step_up"}.php`;
    const body = count % 2 ? { code: wrongCodeOf(secret) } : { recovery_code: "aaaaa-aaaaa" };
    const headers = browserHeaders(session);
    assert.equal((await call("POST", path, { headers, body, address: `198.51.100.${count}` })).status, 422);
  }
  const late = await afterPassword(owner);
  for (const fields of [{ code: codeOf(secret) }, { recovery_code: recoveryCodes[0] }]) {
    assert.equal(outcome(await factor(late, "second_step", fields)), "429 rate_limited");
    assert.equal(outcome(await factor(owner, "step_up", fields)), "429 rate_limited");
  }
  const { body } = await factor<{ options: object }>(late, "second_step_options");
  succeeded(await factor(late, "second_step", { passkey: passkey.get(body.options) }));
  assert.equal((await signInByPasskey(passkey)).status, 200);
});

test("correct codes do not count as guesses", async () => {
  const { owner, secret } = await ownerWithTotp();
  await configure({ RATE_LIMIT_SCALE: "1" });
  for (let count = 0; count < 12; count += 1) {
    await forgetSteps(owner.ownerId);
    succeeded(await factor(owner, "step_up", { code: codeOf(secret) }));
  }
});

test("a password sign-in on a known device awaits the second factor too", async () => {
  const { owner, secret } = await ownerWithTotp(PASSWORD);
  const browser = new TestBrowser();
  await browser.signIn(owner.email, PASSWORD);
  const answer = await factor(await sessionOf(owner, browser.cookie), "second_step", { code: codeOf(secret) });
  for (const pair of cookieOf(answer).split("; ")) {
    const at = pair.indexOf("=");
    browser.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
  assert.ok(await findOwnerActor(browser.cookie));
  await browser.signIn(owner.email, PASSWORD);
  assert.equal(await findOwnerActor(browser.cookie), undefined);
  assert.ok(await findAwaitingFactor(browser.cookie));
});

test("the second step takes exactly one proof", async () => {
  const { owner, secret, recoveryCodes } = await ownerWithTotp();
  const awaiting = await afterPassword(owner);
  const both = { code: codeOf(secret), recovery_code: recoveryCodes[0] };
  for (const fields of [{}, both, { password: PASSWORD }])
    assert.equal((await factor(awaiting, "second_step", fields)).status, 422);
  const { factorAttempts } = await prisma().ownerSession.findFirstOrThrow({
    where: { ownerId: owner.ownerId, awaitsFactor: true },
  });
  assert.equal(factorAttempts, 0);
});
