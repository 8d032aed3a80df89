import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, testService } from "#testing/client.ts";
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
} from "#testing/factors.ts";
import { callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { PASSWORD } from "#testing/sign-in.ts";
import { changesNothing } from "#testing/snapshot.ts";

testService();

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
