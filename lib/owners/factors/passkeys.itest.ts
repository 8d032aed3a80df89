import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { Authenticator } from "#testing/authenticator.ts";
import { outcome, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { addPasskey, factor } from "#testing/factors.ts";
import { signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { findOwnerActor } from "../sessions/session.ts";
import { storeChallenge } from "./challenges.ts";

testService();

type Factors = { passkeys: { passkey_id: string; name: string }[]; totp: boolean; recovery_codes_left: number };

const factorsOf = async (owner: TestOwner) => (await factor<Factors>(owner, "factors")).body;

test("a passkey is named after the browser or by its owner, and an account has at most ten", async () => {
  const owner = await signedInOwner();
  await addPasskey(owner);
  await addPasskey(owner, new Authenticator(), "Key on my desk");
  for (let count = 2; count < 10; count += 1) await addPasskey(owner);
  const { passkeys } = await factorsOf(owner);
  assert.equal(passkeys.length, 10);
  assert.deepEqual(
    passkeys.slice(0, 2).map(({ name }) => name),
    ["A program that does not say what it is", "Key on my desk"],
  );
  assert.equal(outcome(await factor(owner, "passkey_options")), "409 quota_exceeded");
});

test("many passkeys added at once don't exceed ten", async () => {
  const owner = await signedInOwner();
  for (let count = 0; count < 8; count += 1) await addPasskey(owner);
  const offers = await Promise.all([1, 2, 3, 4].map(() => factor<{ options: object }>(owner, "passkey_options")));
  const answers = await Promise.all(
    offers.map(({ body }) => factor(owner, "passkey_add", { passkey: new Authenticator().create(body.options) })),
  );
  assert.deepEqual(answers.map(outcome).sort(), ["200", "200", "409 quota_exceeded", "409 quota_exceeded"]);
});

test("a passkey that an account has cannot be added to another", async () => {
  const [one, other] = [await signedInOwner(), await signedInOwner()];
  const { passkey } = await addPasskey(one);
  const { body } = await factor<{ options: object }>(other, "passkey_options");
  const answer = await factor(other, "passkey_add", { passkey: passkey.create(body.options) });
  assert.equal(outcome(answer), "409 state_conflict");
});

test("a passkey for another challenge, origin, host or purpose is refused, and uses up its challenge", async () => {
  const owner = await signedInOwner();
  const begin = async () => (await factor<{ options: { challenge: string } }>(owner, "passkey_options")).body.options;
  for (const forgery of [
    { challenge: "AAAA" },
    { origin: "http://evil.example" },
    { rpId: "evil.example" },
    { type: "webauthn.get" },
    { flags: 0 },
  ]) {
    const options = await begin();
    const passkey = new Authenticator();
    const forged = await factor(owner, "passkey_add", { passkey: passkey.create(options, forgery) });
    assert.deepEqual([forged.status, forged.error?.field_errors?.[0]?.path], [422, "passkey"], JSON.stringify(forgery));
    if (forgery.challenge) continue;
    const again = await factor(owner, "passkey_add", { passkey: passkey.create(options) });
    assert.equal(again.status, 422, "the challenge works once");
  }
  assert.deepEqual((await factorsOf(owner)).passkeys, []);
});

test("a passkey with certificates is refused before anything follows the links in them", async () => {
  const owner = await signedInOwner();
  for (const attestation of [
    {
      format: "packed",
      statement: new Map<string, unknown>([
        ["alg", -7],
        ["sig", Uint8Array.of(1)],
        ["x5c", [Uint8Array.of(1)]],
      ]),
    },
    { format: "android-key", statement: new Map<string, unknown>() },
    { format: "none", statement: new Map<string, unknown>([["x5c", [Uint8Array.of(1)]]]) },
  ]) {
    const { body } = await factor<{ options: object }>(owner, "passkey_options");
    const answer = await factor(owner, "passkey_add", {
      passkey: new Authenticator().create(body.options, { attestation }),
    });
    assert.equal(answer.status, 422, attestation.format);
  }
});

test("a challenge belongs to the session that asked for it", async () => {
  const owner = await signedInOwner();
  const other = await signInAgain(owner);
  const { body } = await factor<{ options: object }>(other, "passkey_options");
  assert.equal((await factor(owner, "passkey_add", { passkey: new Authenticator().create(body.options) })).status, 422);
});

test("a challenge expires after five minutes, and expired ones are removed", async () => {
  const owner = await signedInOwner();
  const { body } = await factor<{ options: object }>(owner, "passkey_options");
  await prisma().ownerChallenge.updateMany({ data: { expiresAt: systemClock.now() } });
  assert.equal((await factor(owner, "passkey_add", { passkey: new Authenticator().create(body.options) })).status, 422);
  await factor(owner, "passkey_options");
  assert.equal(await prisma().ownerChallenge.count(), 1);
});

test("a session has at most five challenges, even when it requests many at once", async () => {
  const owner = await signedInOwner();
  const sessionId = (await findOwnerActor(owner.cookie))?.sessionId ?? "";
  const ask = (place: number) => storeChallenge({ clock: systemClock }, `challenge ${place}`, "step_up", sessionId);
  await Promise.all(Array.from({ length: 12 }, (_, place) => ask(place)));
  assert.equal(await prisma().ownerChallenge.count({ where: { sessionId } }), 5);
});

test("passkeys need a host name", async () => {
  await configure({ BASE_URL: "http://127.0.0.1:3000" });
  try {
    assert.equal(outcome(await factor(await signedInOwner(), "passkey_options")), "409 state_conflict");
  } finally {
    await configure();
  }
});
