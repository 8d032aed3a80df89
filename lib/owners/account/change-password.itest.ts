import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, signInAgain } from "#testing/owner.ts";
import { canSignIn, PASSWORD } from "#testing/sign-in.ts";
import { findOwnerActor, openSession } from "../sessions/session.ts";

testService();

const CHANGE = "/api/v1/owners/password.php";
const NEW = "another staple entirely";

test("changing the password ends the other sessions, and the old password no longer works", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const other = await signInAgain(owner);
  const answer = await callAsOwner<{ revoked_sessions: number }>(owner, "POST", CHANGE, {
    current_password: PASSWORD,
    new_password: NEW,
  });
  succeeded(answer);
  assert.equal(answer.body.revoked_sessions, 1);
  assert.ok(await findOwnerActor(owner.cookie));
  assert.equal(await findOwnerActor(other.cookie), undefined);
  assert.ok(!(await canSignIn(owner.email, PASSWORD)));
  assert.ok(await canSignIn(owner.email, NEW));
});

test("a password that was changed after it was checked does not open a session", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const { passwordHash } = await prisma().owner.findUniqueOrThrow({ where: { id: owner.ownerId } });
  const opening = { ownerId: owner.ownerId, userAgent: null, passwordHash: passwordHash ?? "" };
  assert.ok(await openSession(opening));
  succeeded(await callAsOwner(owner, "POST", CHANGE, { current_password: PASSWORD, new_password: NEW }));
  assert.equal(await openSession(opening), undefined);
});

test("a new password must be hard to guess, and an administrator's must have fifteen characters", async () => {
  const owner = await signedInOwner({ password: PASSWORD, name: "Grace Hopper" });
  const administrator = await signedInOwner({ password: PASSWORD, role: "administrator" });
  const refusedField = async (who: typeof owner, password: string) =>
    (await callAsOwner(who, "POST", CHANGE, { current_password: PASSWORD, new_password: password })).error
      ?.field_errors?.[0]?.path;
  for (const weak of ["short", "123456789012", "hopper of the north", owner.email]) {
    assert.equal(await refusedField(owner, weak), "new_password", weak);
  }
  assert.equal(await refusedField(administrator, "tq8 vbx kmrz"), "new_password");
  assert.equal(await refusedField(owner, "tq8 vbx kmrz"), undefined);
  assert.equal(await refusedField(administrator, "tq8 vbx kmrz wq"), undefined);
});

test("a wrong current password is refused, and attempts are limited like signing in", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  await configure({ RATE_LIMIT_SCALE: "1" });
  const change = (current: string) =>
    callAsOwner(owner, "POST", CHANGE, { current_password: current, new_password: NEW });
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { status, error } = await change("a wrong one");
    assert.equal(status, 422);
    assert.equal(error?.field_errors?.[0]?.path, "current_password");
  }
  assert.equal((await change(PASSWORD)).status, 429);
  await configure();
  assert.ok(await canSignIn(owner.email, PASSWORD));
});

test("of two simultaneous password changes one succeeds and the other is refused", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const answers = await Promise.all(
    [NEW, `${NEW} too`].map((password) =>
      callAsOwner(owner, "POST", CHANGE, { current_password: PASSWORD, new_password: password }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.equal(statuses[0], 200);
  assert.ok(statuses[1] === 409 || statuses[1] === 422, String(statuses[1]));
});
