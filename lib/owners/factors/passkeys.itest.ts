import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { Authenticator } from "#testing/authenticator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import { addPasskey, afterPassword, cookieOf, factor, securityLogOf, signInByPasskey } from "#testing/factors.ts";
import { betweenLookAndAct } from "#testing/outside/blocked.ts";
import { signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { findOwnerActor } from "../sessions/session.ts";
import { storeChallenge } from "./challenges.ts";

testService();
afterEach(() => configure());

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
  assert.equal(outcome(await factor(await signedInOwner(), "passkey_options")), "409 state_conflict");
});

test("a passkey completes the second step, with or without proof of its user", async () => {
  const owner = await signedInOwner();
  for (const verifiesUser of [true, false]) {
    const { passkey } = await addPasskey(owner, new Authenticator({ verifiesUser, counter: verifiesUser ? 1 : 0 }));
    const awaiting = await afterPassword(owner);
    const { body } = await factor<{ options: { allowCredentials: { id: string }[] } }>(awaiting, "second_step_options");
    assert.ok(body.options.allowCredentials.some(({ id }) => id === passkey.id));
    const answer = await factor(awaiting, "second_step", { passkey: passkey.get(body.options) });
    succeeded(answer);
    assert.equal((await findOwnerActor(cookieOf(answer)))?.id, owner.ownerId);
  }
});

test("only a passkey that checked its user signs in on its own", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner);
  const answer = await signInByPasskey(passkey);
  assert.equal(answer.status, 200);
  const actor = await findOwnerActor(cookieOf(answer));
  assert.equal(actor?.id, owner.ownerId);
  assert.ok(actor?.confirmedAt, "it counts as both factors");
  const { passkey: bare } = await addPasskey(owner, new Authenticator({ verifiesUser: false }));
  assert.equal(outcome(await signInByPasskey(bare)), "401 invalid_credential");
  assert.equal(outcome(await signInByPasskey(new Authenticator())), "401 invalid_credential");
  assert.deepEqual((await securityLogOf(owner.ownerId)).slice(-3), ["sign_in", "add_passkey", "sign_in_failed"]);
});

test("signing in with a passkey needs the service's own Origin and an account that is not disabled", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner);
  for (const name of ["passkey_sign_in_options", "passkey_sign_in"])
    for (const headers of [{}, { Origin: "http://evil.example" }] as Record<string, string>[]) {
      const answer = await call("POST", `/api/v1/owners/${name}.php`, { headers, body: {} });
      assert.equal(outcome(answer), "403 csrf_failed");
    }
  await prisma().owner.update({ where: { id: owner.ownerId }, data: { disabledAt: systemClock.now() } });
  const refused = await signInByPasskey(passkey);
  assert.deepEqual([outcome(refused), refused.error?.reason], ["403 forbidden", "account_disabled"]);
});

test("a passkey answer that is forged, another account's or for another purpose is refused", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner);
  const forgeries = [
    { challenge: "AAAA" },
    { origin: "http://evil.example" },
    { rpId: "evil.example" },
    { type: "webauthn.create" },
    { flags: 0 },
    { userHandle: Buffer.from("own_2222222222222222222222").toString("base64url") },
    { userHandle: null },
  ];
  for (const forgery of forgeries)
    assert.equal(outcome(await signInByPasskey(passkey, forgery)), "401 invalid_credential", JSON.stringify(forgery));
  const impostor = new Authenticator();
  Object.assign(impostor, { id: passkey.id, userHandle: passkey.userHandle, counter: 100 });
  assert.equal(outcome(await signInByPasskey(impostor)), "401 invalid_credential");

  const { body } = await factor<{ options: object }>(owner, "step_up_options");
  const headers = { Origin: "http://localhost:3000" };
  const answer = { passkey: passkey.get(body.options) };
  const path = "/api/v1/owners/passkey_sign_in.php";
  assert.equal(outcome(await call("POST", path, { headers, body: answer })), "401 invalid_credential");
  assert.equal((await factor(owner, "step_up", answer)).status, 200, "the challenge of another use is left alone");
});

test("a passkey's answer works once", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner, new Authenticator({ counter: 0 }));
  const headers = { Origin: "http://localhost:3000" };
  const path = "/api/v1/owners/passkey_sign_in";
  const { body } = await call<{ options: object }>("POST", `${path}_options.php`, { headers, body: {} });
  const answer = { passkey: passkey.get(body.options) };
  const answers = await Promise.all([1, 2, 3].map(() => call("POST", `${path}.php`, { headers, body: answer })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401]);
});

test("a signature counter that does not grow is refused, because the passkey may be a copy", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner, new Authenticator({ counter: 5 }));
  assert.equal((await signInByPasskey(passkey)).status, 200);
  passkey.counter = 5;
  assert.equal(outcome(await signInByPasskey(passkey)), "401 invalid_credential", "the same counter");
  passkey.counter = 2;
  assert.equal(outcome(await signInByPasskey(passkey)), "401 invalid_credential", "a smaller one");
  passkey.counter = 0;
  assert.equal(outcome(await signInByPasskey(passkey)), "401 invalid_credential", "none");
  passkey.counter = 50;
  assert.equal((await signInByPasskey(passkey)).status, 200);
});

test("a removed passkey cannot sign in", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner);
  succeeded(await factor(owner, "passkey_remove", { passkey_id: passkey.id }));
  assert.equal(outcome(await signInByPasskey(passkey)), "401 invalid_credential");
});

test("a sign-in with a passkey that is removed meanwhile, for example by a promotion, is refused", async () => {
  const owner = await signedInOwner();
  const { passkey } = await addPasskey(owner);
  const { ownerId } = owner;
  // The passkey's answer was valid, and the sign-in waits for the lock on the account.
  const answer = await betweenLookAndAct(
    ["SELECT FROM owners WHERE id = $1 FOR UPDATE", [ownerId]],
    () => signInByPasskey(passkey),
    async (query) => {
      await query("UPDATE owner_sessions SET revoked_at = now() WHERE owner_id = $1", [ownerId]);
      await query("DELETE FROM owner_passkeys WHERE owner_id = $1", [ownerId]);
    },
  );
  assert.equal(outcome(answer), "401 invalid_credential");
  assert.equal(await prisma().ownerSession.count({ where: { ownerId, revokedAt: null } }), 0);
});
