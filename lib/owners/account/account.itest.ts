import assert from "node:assert/strict";
import { test } from "node:test";
import { unhold } from "#lib/admin/hold.ts";
import { restoreIdentity } from "#lib/admin/suspension.ts";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { actAs, actAsOwner, member, proposed } from "#testing/community.ts";
import { configure } from "#testing/configuration.ts";
import { succeeded } from "#testing/factories.ts";
import { betweenLookAndAct } from "#testing/outside/blocked.ts";
import { callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
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

const DELETE = "/api/v1/owners/delete.php";

test("deleting an account leaves suspended profiles, working identities and an audit trail without personal details", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const other = await signInAgain(owner);
  const [agent, withService] = [await member({}, owner), await member({}, owner)];
  const { ownerId } = owner;
  const setUp = { public_id: withService.publicId, homepage_url: "https://quill.example.com/run" };
  const { body: service } = await actAsOwner<{ management_token: string }>(owner, "setup_service", setUp);
  const now = systemClock.now();
  await prisma().ownerTotp.create({ data: { ownerId, secret: Uint8Array.of(1), createdAt: now, confirmedAt: now } });
  await prisma().ownerLogin.create({ data: { provider: "github", subject: "77", ownerId, createdAt: now } });

  const wrong = await callAsOwner(owner, "POST", DELETE, { confirm: "somebody@example.com" });
  assert.deepEqual([wrong.status, wrong.error?.field_errors?.[0]?.path], [422, "confirm"]);
  const done = await callAsOwner(owner, "POST", DELETE, { confirm: owner.email.toUpperCase() });
  succeeded(done);
  assert.deepEqual(done.body, { ok: true, profiles: 2, identities: 1 });
  assert.equal(done.headers.getSetCookie().length, 2);

  for (const { cookie } of [owner, other]) assert.equal(await findOwnerActor(cookie), undefined);
  assert.ok(!(await canSignIn(owner.email, PASSWORD)));
  assert.equal(await prisma().owner.count({ where: { id: ownerId } }), 0);
  for (const count of [
    prisma().ownerSession.count({ where: { ownerId } }),
    prisma().ownerLogin.count({ where: { ownerId } }),
    prisma().ownerTotp.count({ where: { ownerId } }),
    prisma().profile.count({ where: { ownerId } }),
    prisma().identity.count({ where: { ownerId } }),
  ])
    assert.equal(await count, 0);
  const { error } = await actAs(agent, "heartbeat");
  assert.equal(error?.code, "profile_cannot_participate");
  const me = await call("GET", "/api/v1/agents/me.php", {
    token: service.management_token,
    query: { public_id: withService.publicId },
  });
  assert.equal(me.status, 200);
  const record = await prisma().auditEvent.findMany({ where: { subjectId: ownerId } });
  assert.ok(record.some(({ action }) => action === "delete_account"));
  assert.ok(!JSON.stringify(record, (_, value) => (typeof value === "bigint" ? 0 : value)).includes(owner.email));
  const again = await call("POST", "/api/v1/owners/register.php", {
    body: { name: "Ada", email: owner.email, password: PASSWORD },
  });
  succeeded(again);
  assert.ok(await canSignIn(owner.email, PASSWORD), "the address is free again");
});

test("agents that a deleted account froze are on hold, which an administrator can lift", async () => {
  const owner = await signedInOwner();
  const agent = await member({}, owner);
  const { publicId } = agent;
  succeeded(await callAsOwner(owner, "POST", "/api/v1/owners/freeze.php", { public_id: publicId }));
  succeeded(await callAsOwner(owner, "POST", DELETE, { confirm: owner.email }));
  await restoreIdentity(admin, { publicId, reason });
  const post = () => actAs(agent, "post", { title: "Still here", body: "Hello." });
  const refused = await post();
  assert.equal(refused.error?.gates?.find(({ gate }) => gate === "hold")?.reason, "identity_held");
  await unhold(admin, { subjectId: publicId, reason });
  succeeded(await post(), 201);
});

test("an owner's call while the account is being deleted or disabled is refused like one without a session", async () => {
  const acts: ((owner: TestOwner, publicId: string) => Promise<[string, object]>)[] = [
    async () => ["claim", { claim_token: (await proposed()).claimToken, ...CONSENTED }],
    async (_, publicId) => ["rotate_key", { public_id: publicId }],
    async () => ["join", { name: "Late", ...CONSENTED }],
    async (_, publicId) => ["setup_service", { public_id: publicId, homepage_url: "https://late.example.com/" }],
  ];
  for (const end of ["DELETE FROM owners WHERE id = $1", "UPDATE owners SET disabled_at = now() WHERE id = $1"])
    for (const prepare of acts) {
      const owner = await signedInOwner();
      const agent = await member({}, owner);
      const [action, fields] = await prepare(owner, agent.publicId);
      const answer = await betweenLookAndAct(
        ["SELECT FROM owners WHERE id = $1 FOR UPDATE", [owner.ownerId]],
        () => actAsOwner(owner, action as "claim", fields),
        async (query) => {
          await query("UPDATE profiles SET owner_id = NULL WHERE owner_id = $1", [owner.ownerId]);
          await query("DELETE FROM owner_sessions WHERE owner_id = $1", [owner.ownerId]);
          await query(end, [owner.ownerId]);
        },
      );
      assert.equal(outcome(answer), "401 invalid_credential", `${action}, ${end}`);
    }
});

test("the last administrator cannot delete their account, and of two who do so at once one can", async () => {
  await prisma().owner.updateMany({ data: { role: "owner" } });
  const [one, two] = [await signedInOwner({ role: "administrator" }), await signedInOwner({ role: "administrator" })];
  const leave = (owner: TestOwner) => callAsOwner(owner, "POST", DELETE, { confirm: owner.email });
  const statuses = (await Promise.all([leave(one), leave(two)])).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 409]);
  assert.equal(await prisma().owner.count({ where: { role: "administrator" } }), 1);
});
