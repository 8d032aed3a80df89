import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { Authenticator } from "#testing/authenticator.ts";
import { type Answer, outcome, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import {
  addPasskey,
  addTotp,
  codeOf,
  factor,
  forgetSteps,
  letConfirmationLapse,
  ownerWithTotp,
  securityLogOf,
  wrongCodeOf,
} from "#testing/factors.ts";
import { untilBlocked } from "#testing/outside/blocked.ts";
import { callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { PASSWORD } from "#testing/sign-in.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { findOwnerActor } from "../sessions/session.ts";
import { startSession } from "../sessions/start-session.ts";

testService();
afterEach(() => configure());

type Factors = { passkeys: { passkey_id: string; name: string }[]; totp: boolean; recovery_codes_left: number };

const factorsOf = async (owner: TestOwner) => (await factor<Factors>(owner, "factors")).body;

test("an authenticator app is set up by its first correct code, and comes with ten recovery codes", async () => {
  const owner = await signedInOwner();
  const { body: begun } = await factor<{ secret: string; uri: string }>(owner, "totp_begin");
  assert.match(begun.secret, /^[A-Z2-7]{32}$/);
  assert.match(begun.uri, /^otpauth:\/\/totp\/Guildhall:.*issuer=Guildhall.*algorithm=SHA1&digits=6&period=30$/);
  assert.equal((await factorsOf(owner)).totp, false);
  const wrong = await factor(owner, "totp_confirm", { code: wrongCodeOf(begun.secret) });
  assert.deepEqual([wrong.status, wrong.error?.field_errors?.[0]?.path], [422, "code"]);
  const right = await factor<{ recovery_codes: string[] }>(owner, "totp_confirm", { code: codeOf(begun.secret) });
  succeeded(right);
  assert.equal(new Set(right.body.recovery_codes).size, 10);
  for (const code of right.body.recovery_codes) assert.match(code, /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
  const { totp, recovery_codes_left: left } = await factorsOf(owner);
  assert.deepEqual([totp, left], [true, 10]);
  assert.equal(outcome(await factor(owner, "totp_begin")), "409 state_conflict");
});

test("starting the setup again replaces the secret, and codes of the earlier one are refused", async () => {
  const owner = await signedInOwner();
  const { body: first } = await factor<{ secret: string }>(owner, "totp_begin");
  const { body: second } = await factor<{ secret: string }>(owner, "totp_begin");
  assert.notEqual(first.secret, second.secret);
  assert.equal((await factor(owner, "totp_confirm", { code: codeOf(first.secret) })).status, 422);
  succeeded(await factor(owner, "totp_confirm", { code: codeOf(second.secret) }));
});

test("the database holds neither the app's secret nor a recovery code in readable form", async () => {
  const { owner, secret, recoveryCodes } = await ownerWithTotp();
  const where = { ownerId: owner.ownerId };
  const { secret: sealed } = await prisma().ownerTotp.findUniqueOrThrow({ where });
  const plain = Buffer.from(codeBytes(secret));
  assert.ok(!Buffer.from(sealed).includes(plain));
  const digests = await prisma().ownerRecoveryCode.findMany({ where });
  assert.equal(digests.length, 10);
  for (const { digest } of digests) {
    assert.equal(digest.length, 36);
    for (const code of recoveryCodes) assert.ok(!Buffer.from(digest).includes(code.replace("-", "")));
  }
});

/** Decodes base32. */
function codeBytes(base32: string): number[] {
  const bits = [...base32].map((letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  return (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

test("a sealed secret can only be opened for its own account", async () => {
  const [one, other] = [await ownerWithTotp(), await ownerWithTotp()];
  const { secret } = await prisma().ownerTotp.findUniqueOrThrow({ where: { ownerId: one.owner.ownerId } });
  await prisma().ownerTotp.update({ where: { ownerId: other.owner.ownerId }, data: { secret } });
  assert.equal((await factor(other.owner, "step_up", { code: codeOf(one.secret) })).status, 422);
});

test("a secret sealed under an earlier AUTH_SECRET still works, and is sealed again when used", async () => {
  const [earlier, next] = ["an-earlier-secret-that-only-tests-know", "a-newer-secret-that-only-tests-know-as-well"];
  await configure({ AUTH_SECRET: earlier });
  const { owner, secret, recoveryCodes } = await ownerWithTotp();
  await configure({ AUTH_SECRET: next, AUTH_SECRET_PREVIOUS: earlier });
  const again = await signInAgain(owner);
  succeeded(await factor(again, "step_up", { code: codeOf(secret) }));
  succeeded(await factor(again, "step_up", { recovery_code: recoveryCodes[0] }));
  await forgetSteps(owner.ownerId);
  await configure({ AUTH_SECRET: next });
  succeeded(await factor(await signInAgain(owner), "step_up", { code: codeOf(secret) }));
});

test("adding the first factor ends the account's other sessions; adding another does not", async () => {
  const owner = await signedInOwner();
  const [other, awaited] = [await signInAgain(owner), await signInAgain(owner)];
  await addTotp(owner);
  assert.ok(await findOwnerActor(owner.cookie));
  for (const { cookie } of [other, awaited]) assert.equal(await findOwnerActor(cookie), undefined);
  const later = await signInAgain(owner);
  const { recoveryCodes } = await addPasskey(owner);
  assert.deepEqual(recoveryCodes, [], "recovery codes come with the first factor alone");
  assert.ok(await findOwnerActor(later.cookie));
});

test("a sign-in while the first factor is being added awaits that factor", async () => {
  const owner = await signedInOwner();
  const visiting = { actor: { kind: "visitor" } as const, clock: systemClock, requestId: newId("req") };
  let started: ReturnType<typeof startSession> | undefined;
  await transaction(async (tx) => {
    await tx.$executeRaw`SELECT 1 FROM owners WHERE id = ${owner.ownerId} FOR NO KEY UPDATE`;
    started = startSession(visiting, { ownerId: owner.ownerId, how: "password" });
    await untilBlocked();
    const now = systemClock.now();
    const data = { ownerId: owner.ownerId, secret: Uint8Array.of(1), createdAt: now, confirmedAt: now };
    await tx.ownerTotp.create({ data });
  });
  assert.equal((await started)?.awaitsFactor, true);
});

test("removing the last factor removes the recovery codes; removing another keeps them", async () => {
  const { owner } = await ownerWithTotp();
  const { passkey } = await addPasskey(owner);
  const removed = await factor<{ has_second_factor: boolean }>(owner, "totp_remove");
  assert.equal(removed.body.has_second_factor, true);
  assert.equal((await factorsOf(owner)).recovery_codes_left, 10);
  const last = await factor<{ has_second_factor: boolean }>(owner, "passkey_remove", { passkey_id: passkey.id });
  assert.equal(last.body.has_second_factor, false);
  assert.equal(await prisma().ownerRecoveryCode.count({ where: { ownerId: owner.ownerId } }), 0);
  assert.equal(outcome(await factor(owner, "totp_remove")), "409 state_conflict");
  assert.equal(outcome(await factor(owner, "passkey_remove", { passkey_id: passkey.id })), "404 not_found");
  assert.equal(outcome(await factor(owner, "recovery_codes")), "409 state_conflict");
});

test("new recovery codes replace all earlier ones", async () => {
  const { owner, recoveryCodes } = await ownerWithTotp();
  const { body } = await factor<{ recovery_codes: string[] }>(owner, "recovery_codes");
  assert.equal(new Set([...recoveryCodes, ...body.recovery_codes]).size, 20);
  assert.equal((await factor(owner, "step_up", { recovery_code: recoveryCodes[0] })).status, 422);
  succeeded(await factor(owner, "step_up", { recovery_code: body.recovery_codes[0] }));
});

test("a session that ended while a factor was being added adds none", async () => {
  const owner = await signedInOwner();
  const other = await signInAgain(owner);
  const { body: mine } = await factor<{ options: object }>(owner, "passkey_options");
  const { body: theirs } = await factor<{ options: object }>(other, "passkey_options");
  const answers = await Promise.all([
    factor(owner, "passkey_add", { passkey: new Authenticator().create(mine.options) }),
    factor(other, "passkey_add", { passkey: new Authenticator().create(theirs.options) }),
  ]);
  assert.deepEqual(answers.map(outcome).sort(), ["200", "401 invalid_credential"]);
  assert.equal(await prisma().ownerPasskey.count({ where: { ownerId: owner.ownerId } }), 1);
});

test("every change of factors is in the security log", async () => {
  const { owner } = await ownerWithTotp();
  const { passkey } = await addPasskey(owner);
  await factor(owner, "recovery_codes");
  await factor(owner, "totp_remove");
  await factor(owner, "passkey_remove", { passkey_id: passkey.id });
  assert.deepEqual(await securityLogOf(owner.ownerId), [
    "add_totp",
    "add_passkey",
    "new_recovery_codes",
    "remove_totp",
    "remove_passkey",
  ]);
});

const COMMUNITY = "/api/v1/community/";

const outcomeOf = ({ status, error }: Answer<unknown>) =>
  [status, error?.code, error?.reason].filter(Boolean).join(" ");

const STEP_UP = "403 forbidden step_up_required";

test("a confirmation by code, recovery code or passkey lasts five minutes, for its own session only", async () => {
  const { owner, secret, recoveryCodes } = await ownerWithTotp(PASSWORD);
  const { passkey } = await addPasskey(owner);
  const other = await signInAgain(owner);
  const ways = [
    async () => ({ code: codeOf(secret) }),
    async () => ({ recovery_code: recoveryCodes[0] }),
    async () => {
      const { body } = await factor<{ options: object }>(owner, "step_up_options");
      return { passkey: passkey.get(body.options) };
    },
  ];
  for (const way of ways) {
    await letConfirmationLapse(owner);
    assert.equal(outcomeOf(await factor(owner, "recovery_codes")), STEP_UP);
    const answer = await factor<{ confirmed_until: string }>(owner, "step_up", await way());
    succeeded(answer);
    const left = Date.parse(answer.body.confirmed_until) - Date.now();
    assert.ok(left > 200_000 && left <= 300_000);
    succeeded(
      await factor(owner, "totp_begin").then(({ status }) => ({ ...answer, status: status === 409 ? 200 : status })),
    );
    assert.equal(outcomeOf(await factor(other, "recovery_codes")), STEP_UP);
  }
  assert.ok((await securityLogOf(owner.ownerId)).filter((action) => action === "confirm").length === 3);
});

test("an account without a second factor confirms with its password; one with a factor can't", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  await letConfirmationLapse(owner);
  const wrong = await factor(owner, "step_up", { password: "not this one" });
  assert.deepEqual([wrong.status, wrong.error?.field_errors?.[0]?.path], [422, "password"]);
  succeeded(await factor(owner, "step_up", { password: PASSWORD }));
  const { secret } = await addTotp(owner);
  await letConfirmationLapse(owner);
  assert.equal(outcomeOf(await factor(owner, "step_up", { password: PASSWORD })), "409 state_conflict");
  succeeded(await factor(owner, "step_up", { code: codeOf(secret) }));
  assert.deepEqual(await securityLogOf(owner.ownerId), ["confirm_failed", "confirm", "add_totp", "confirm"]);
});

test("an account without password and factor confirms by signing in again", async () => {
  const owner = await signedInOwner();
  await letConfirmationLapse(owner);
  const { body } = await factor<{ confirm_with: string[]; confirmed_until: null }>(owner, "factors");
  assert.deepEqual([body.confirm_with, body.confirmed_until], [[], null]);
  assert.equal(outcomeOf(await factor(owner, "step_up", { password: PASSWORD })), "409 state_conflict");
  succeeded(await factor(await signInAgain(owner), "totp_begin"));
});

test("the ways to confirm a session depend on what the account has", async () => {
  const ways = async (owner: TestOwner) =>
    (await factor<{ confirm_with: string[] }>(owner, "factors")).body.confirm_with;
  const owner = await signedInOwner({ password: PASSWORD });
  assert.deepEqual(await ways(owner), ["password"]);
  await addPasskey(owner);
  assert.deepEqual(await ways(owner), ["passkey", "recovery_code"]);
  await addTotp(owner);
  assert.deepEqual(await ways(owner), ["passkey", "code", "recovery_code"]);
});

test("changing a key needs a confirmation if the account has a second factor", async () => {
  const { owner, secret } = await ownerWithTotp();
  const plain = await signedInOwner();
  for (const each of [owner, plain]) await letConfirmationLapse(each);
  const consents = { public_consent: true, operator_authorized: true };
  const joined = async (each: TestOwner) => {
    const fields = { action: "join", name: "Quill", ...consents };
    const { body } = await callAsOwner<{ profile: { public_id: string } }>(each, "POST", COMMUNITY, fields);
    return body.profile.public_id;
  };
  for (const act of [{ action: "rotate_key" }, { action: "setup_service", homepage_url: "https://quill.example/" }]) {
    const done = act.action === "rotate_key" ? 200 : 201;
    const mine = { ...act, public_id: await joined(owner) };
    assert.equal(
      (await callAsOwner(plain, "POST", COMMUNITY, { ...act, public_id: await joined(plain) })).status,
      done,
    );
    await changesNothing(act.action, async () => {
      assert.equal(outcomeOf(await callAsOwner(owner, "POST", COMMUNITY, mine)), STEP_UP);
    });
    assert.equal(outcomeOf(await callAsOwner(plain, "POST", COMMUNITY, mine)), "404 not_found", "others learn nothing");
    await forgetSteps(owner.ownerId);
    succeeded(await factor(owner, "step_up", { code: codeOf(secret) }));
    assert.equal((await callAsOwner(owner, "POST", COMMUNITY, mine)).status, done);
    await letConfirmationLapse(owner);
  }
});

test("changing the password needs a confirmation if the account has a second factor", async () => {
  const { owner, secret } = await ownerWithTotp(PASSWORD);
  const plain = await signedInOwner({ password: PASSWORD });
  for (const each of [owner, plain]) await letConfirmationLapse(each);
  const change = (each: TestOwner) =>
    factor(each, "password", { current_password: PASSWORD, new_password: "nine herons over the weir" });
  assert.equal(outcomeOf(await change(plain)), "200");
  assert.equal(outcomeOf(await change(owner)), STEP_UP);
  succeeded(await factor(owner, "step_up", { code: codeOf(secret) }));
  assert.equal(outcomeOf(await change(owner)), "200");
});
