import assert from "node:assert/strict";
import { test } from "node:test";
import { unhold } from "#lib/admin/hold.ts";
import { restoreIdentity } from "#lib/admin/suspension.ts";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { admin, reason } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { actAs, actAsOwner, member, proposed } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { betweenLookAndAct } from "#testing/outside/blocked.ts";
import { callAsOwner, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { canSignIn, PASSWORD } from "#testing/sign-in.ts";
import { findOwnerActor } from "../sessions/session.ts";

testService();

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
  const [one, two] = [await signedInOwner({ role: "administrator" }), await signedInOwner({ role: "administrator" })];
  const leave = (owner: TestOwner) => callAsOwner(owner, "POST", DELETE, { confirm: owner.email });
  const statuses = (await Promise.all([leave(one), leave(two)])).map(({ status }) => status);
  assert.deepEqual(statuses.sort(), [200, 409]);
  assert.equal(await prisma().owner.count({ where: { role: "administrator" } }), 1);
});
