import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { startSession } from "#lib/owners/sessions/start-session.ts";
import { externalSignIn } from "#lib/owners/sign-in/external-sign-in.ts";
import { runHere } from "#testing/admin-command.ts";
import { admin, reason, recordOf, signedInAdministrator } from "#testing/administrator.ts";
import { call, testService } from "#testing/client.ts";
import { succeeded } from "#testing/factories.ts";
import { betweenLookAndAct } from "#testing/outside/blocked.ts";
import { browserHeaders, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { type ApiProcess, request, startApiProcess, stopSilent } from "#testing/processes/processes.ts";
import { canSignIn } from "#testing/sign-in.ts";
import { changesNothing } from "#testing/snapshot.ts";
import {
  demoteAdministrator,
  disableOwner,
  enableOwner,
  endSessions,
  promoteOwner,
  resetPassword,
} from "./accounts.ts";
import { createAdministrator, listAdministrators } from "./administrators.ts";
import { commandLineContext } from "./context.ts";
import { findOwnerFacts, listOwners } from "./page-reads/owners.ts";
import { OwnersQuery } from "./schema.ts";

const PASSWORD = "correct horse battery";

let processes: [ApiProcess, ApiProcess];
testService({}, async () => {
  processes = await Promise.all([startApiProcess({}), startApiProcess({})]);
  return () => stopSilent(processes);
});

/** Whether a session is live, in each of the two processes. */
async function isLive({ cookie }: TestOwner): Promise<boolean[]> {
  const asked = processes.map(({ url }) =>
    request(url, "GET", "community/", { fields: { view: "session" }, headers: { Cookie: cookie } }),
  );
  return (await Promise.all(asked)).map(({ status }) => status === 200);
}

/** Whether a session has access to the console's endpoints, in each of the two processes. */
async function administers(owner: TestOwner): Promise<boolean[]> {
  const asked = processes.map(({ url }) =>
    request(url, "POST", "admin/suspend.php", { fields: { reason: "" }, headers: browserHeaders(owner) }),
  );
  return (await Promise.all(asked)).map(({ status }) => status !== 404);
}

/** All ways to sign in besides the password. */
async function addWaysIn(ownerId: string): Promise<void> {
  const now = new Date();
  const publicKey = Uint8Array.from([1]);
  await prisma().ownerLogin.create({ data: { provider: "github", subject: newId("req"), ownerId, createdAt: now } });
  await prisma().ownerPasskey.create({
    data: { id: newId("req"), ownerId, publicKey, counter: 0n, backedUp: false, name: "Key", createdAt: now },
  });
  await prisma().ownerTotp.create({ data: { ownerId, secret: publicKey, createdAt: now, confirmedAt: now } });
  await prisma().ownerRecoveryCode.create({ data: { ownerId, digest: publicKey, createdAt: now } });
}

async function waysIn(ownerId: string) {
  const where = { ownerId };
  return {
    logins: await prisma().ownerLogin.count({ where }),
    passkeys: await prisma().ownerPasskey.count({ where }),
    totps: await prisma().ownerTotp.count({ where }),
    codes: await prisma().ownerRecoveryCode.count({ where }),
  };
}

test("after a promotion, none of the earlier credentials gives access to the account", async () => {
  const body = { name: "Squatter", email: "chief@example.com", password: PASSWORD };
  succeeded(await call("POST", "/api/v1/owners/register.php", { body }));
  const { id: ownerId } = await prisma().owner.findUniqueOrThrow({ where: { email: body.email } });
  await addWaysIn(ownerId);
  const squatter = await signInAgain({ ownerId, name: body.name, email: body.email });
  assert.deepEqual(await isLive(squatter), [true, true]);

  const { password, ...answer } = await promoteOwner(admin, { owner: ownerId, reason });
  assert.deepEqual(answer, { owner_id: ownerId, email: body.email, role: "administrator" });
  assert.deepEqual(
    [await isLive(squatter), await administers(squatter)],
    [
      [false, false],
      [false, false],
    ],
  );
  assert.deepEqual(await waysIn(ownerId), { logins: 0, passkeys: 0, totps: 0, codes: 0 });
  assert.equal(await canSignIn(body.email, PASSWORD), false);
  assert.equal(await canSignIn(body.email, password), true);
  const chief = await signInAgain({ ownerId, name: body.name, email: body.email });
  assert.deepEqual(await administers(chief), [true, true]);

  const [event] = await recordOf(ownerId);
  assert.deepEqual([event?.action, event?.actorId, event?.reason], ["promote", "test", reason]);
  assert.deepEqual(event?.data, { sessions_ended: 1, factors_removed: 2, logins_removed: 1 });
  assert.ok(!JSON.stringify(event).includes(password));
});

test("a sign-in through another service or with a passkey that was pending during a promotion is refused", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const { ownerId } = owner;
  const from = { address: "192.0.2.1", userAgent: null, cookie: null };
  const ctx = { actor: { kind: "visitor" as const }, clock: systemClock, requestId: newId("req"), client: from };
  const subject = newId("req");
  await prisma().ownerLogin.create({ data: { provider: "github", subject, ownerId, createdAt: new Date() } });
  const start = () => externalSignIn(ctx, { provider: "github", subject, email: null, name: null });
  assert.ok((await start()).sid);

  // It has found the linked sign-in, and waits for the lock on the account.
  const underWay = await betweenLookAndAct(
    ["SELECT FROM owners WHERE id = $1 FOR UPDATE", [ownerId]],
    () => start().catch((error) => error.code),
    (query) => query("DELETE FROM owner_logins WHERE owner_id = $1", [ownerId]),
  );
  assert.equal(underWay, "invalid_credential");
  await assert.rejects(startSession(ctx, { ownerId, how: "passkey", complete: true, holds: async () => false }), {
    code: "invalid_credential",
  });
});

test("a demotion ends access to the console at once, in every process, and keeps the session", async () => {
  const [staying, leaving] = [await signedInAdministrator(), await signedInAdministrator()];
  assert.deepEqual(await administers(leaving), [true, true]);
  succeeded(await staying.act("demote", { owner_id: leaving.ownerId }));
  assert.deepEqual(await administers(leaving), [false, false]);
  assert.deepEqual(await isLive(leaving), [true, true]);
});

test("a disabled account is closed at once in every process, and can be used again when it is enabled", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  await disableOwner(admin, { owner: owner.ownerId, reason });
  assert.deepEqual(await isLive(owner), [false, false]);
  assert.equal(await canSignIn(owner.email, PASSWORD), false);
  await disableOwner(admin, { owner: owner.ownerId, reason });
  await enableOwner(admin, { owner: owner.ownerId, reason });
  assert.equal(await canSignIn(owner.email, PASSWORD), true);
  assert.deepEqual(await isLive(owner), [false, false]);
  assert.deepEqual(
    (await recordOf(owner.ownerId)).map(({ action, data }) => [action, data?.sessions_ended]),
    [
      ["enable_owner", undefined],
      ["disable_owner", 0],
      ["disable_owner", 1],
    ],
  );
});

test("a disabled account cannot be promoted", async () => {
  const owner = await signedInOwner();
  await disableOwner(admin, { owner: owner.ownerId, reason });
  await changesNothing("promoting a disabled account", () =>
    assert.rejects(promoteOwner(admin, { owner: owner.ownerId, reason }), { code: "state_conflict" }),
  );
});

test("all sessions of an account end at once, in every process, and signing in again is possible", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  const other = await signInAgain(owner);
  const { sessions_ended: ended } = await endSessions(admin, { owner: owner.ownerId, reason });
  assert.equal(ended, 2);
  assert.deepEqual(
    [await isLive(owner), await isLive(other)],
    [
      [false, false],
      [false, false],
    ],
  );
  assert.equal(await canSignIn(owner.email, PASSWORD), true);
});

test("after a password reset, only the new password gives access to the account", async () => {
  const owner = await signedInOwner({ password: PASSWORD });
  await addWaysIn(owner.ownerId);
  const { password, ...answer } = await resetPassword(admin, { owner: owner.email, reason });
  assert.deepEqual(answer, { owner_id: owner.ownerId, email: owner.email, sessions_ended: 1, factors_removed: 2 });
  assert.deepEqual(await waysIn(owner.ownerId), { logins: 1, passkeys: 0, totps: 0, codes: 0 });
  assert.deepEqual(await isLive(owner), [false, false]);
  assert.deepEqual([await canSignIn(owner.email, PASSWORD), await canSignIn(owner.email, password)], [false, true]);
});

test("the last active administrator cannot be demoted or disabled, even when two demote each other at once", async () => {
  await prisma().owner.updateMany({ where: { role: "administrator" }, data: { role: "owner" } });
  const [one, two] = [await signedInAdministrator(), await signedInAdministrator()];
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      one.act("demote", { owner_id: two.ownerId }),
      two.act("demote", { owner_id: one.ownerId }),
    ]);
    // The second one is no longer an administrator, or is the last one.
    assert.deepEqual(answers.map(({ status }) => status === 200).sort(), [false, true]);
    assert.equal(await prisma().owner.count({ where: { role: "administrator" } }), 1);
    await prisma().owner.updateMany({
      where: { id: { in: [one.ownerId, two.ownerId] } },
      data: { role: "administrator" },
    });
  }
  await disableOwner(admin, { owner: two.ownerId, reason });
  await changesNothing("the last administrator", async () => {
    for (const act of [demoteAdministrator, disableOwner])
      await assert.rejects(act(admin, { owner: one.ownerId, reason }), {
        code: "state_conflict",
        message: /last active administrator.*create EMAIL/s,
      });
  });
  await enableOwner(admin, { owner: two.ownerId, reason });
  await demoteAdministrator(admin, { owner: one.ownerId, reason });
});

test("commands take an owner's ID or e-mail address, promote takes only an ID, and unknown owners are not found", async () => {
  const owner = await signedInOwner();
  await runHere("end-sessions", owner.email.toUpperCase());
  await assert.rejects(runHere("promote", owner.email), { code: "invalid_input" });
  for (const name of ["promote", "demote", "disable-owner", "enable-owner", "end-sessions", "reset-password"]) {
    await assert.rejects(runHere(name, newId("own")), { code: "not_found" }, name);
    await assert.rejects(runHere(name, "somebody"), { code: "invalid_input" }, name);
  }
});

test("the list of administrators shows each one's last sign-in and whether they have a second factor", async () => {
  const one = await signedInAdministrator();
  await addWaysIn(one.ownerId);
  const administrators: Record<string, unknown>[] = await listAdministrators();
  const found = administrators.find(({ owner_id: id }) => id === one.ownerId);
  assert.deepEqual(
    [found?.email, found?.name, found?.second_factor, found?.disabled],
    [one.email, one.name, true, false],
  );
  for (const field of ["created_at", "last_sign_in_at", "last_used_at"])
    assert.match(String(found?.[field]), /^\d{4}-\d\d-\d\dT/);
  const owners = await prisma().owner.count({ where: { role: "administrator" } });
  assert.equal(administrators.length, owners);
});

test("the console finds accounts by address, name and ID, and shows the details of one", async () => {
  const owner = await signedInOwner({ name: "Ludmilla Unusual", password: PASSWORD });
  await addWaysIn(owner.ownerId);
  for (const q of [owner.ownerId, owner.email.toUpperCase(), "ludmilla"]) {
    const { rows: owners } = await listOwners(OwnersQuery.parse({ q }));
    assert.deepEqual(
      owners.map(({ id }) => id),
      [owner.ownerId],
      q,
    );
  }
  const facts = await findOwnerFacts(owner.ownerId);
  assert.deepEqual(
    [facts?.sessions, facts?.hasPassword, facts?.logins, facts?.passkeys, facts?.hasTotp, facts?.profiles],
    [1, true, ["github"], 1, true, []],
  );
  const disabled = await listOwners(OwnersQuery.parse({ state: "disabled", q: owner.ownerId }));
  assert.deepEqual(disabled.rows, []);
});

const create = (email: string, password?: string) =>
  createAdministrator(commandLineContext("Tess"), { email, password, reason: "first of all" });

const ownerWith = (email: string) => prisma().owner.findUniqueOrThrow({ where: { email } });

test("a new administrator signs in with the given password, or with the generated one", async () => {
  const given = await create("Root@example.com", "a password of our own");
  const { id } = await ownerWith("root@example.com");
  assert.deepEqual(given, {
    administrator: { owner_id: id, email: "root@example.com", name: "Administrator" },
    created: true,
  });
  assert.ok(await canSignIn("root@example.com", "a password of our own"));

  const shown = await create("second@example.com");
  assert.ok(shown.password && shown.password.length >= 20);
  assert.ok(await canSignIn("second@example.com", shown.password));

  const event = await prisma().auditEvent.findFirstOrThrow({
    where: { subjectId: id, action: "make_administrator" },
  });
  assert.deepEqual([event.actorKind, event.actorId, event.reason], ["administrator", "Tess", "first of all"]);
  assert.ok(!JSON.stringify(event.data).includes("our own"));
});

test("a given administrator's password is taken exactly as sent", async () => {
  await create("trimming@example.com", " spaces all around ");
  assert.ok(await canSignIn("trimming@example.com", " spaces all around "));
  assert.ok(!(await canSignIn("trimming@example.com", "spaces all around")));
});

test("creating an administrator for an address that is already registered is refused and changes nothing", async () => {
  const body = { name: "Squatter", email: "boss@example.com", password: "correct horse battery" };
  succeeded(await call("POST", "/api/v1/owners/register.php", { body }));
  const before = await ownerWith(body.email);

  await assert.rejects(create("Boss@Example.com", "a password of our own"), (error: Error & { code: string }) => {
    assert.equal(error.code, "state_conflict");
    for (const part of [before.id, "Squatter", before.createdAt.toISOString(), `promote ${before.id}`])
      assert.ok(error.message.includes(part), `${part} in: ${error.message}`);
    return true;
  });

  assert.deepEqual(await ownerWith(body.email), before);
  assert.equal(before.role, "owner");
  assert.equal(await prisma().auditEvent.count({ where: { subjectId: before.id, action: "make_administrator" } }), 0);
});

test("creating an administrator again changes nothing and says how to set a new password", async () => {
  await create("again@example.com", "a password of our own");
  const before = await ownerWith("again@example.com");
  await assert.rejects(create("again@example.com"), { code: "state_conflict", message: /reset-password own_/ });
  assert.deepEqual(await ownerWith("again@example.com"), before);
});

test("an invalid address or password is refused by its name", async () => {
  await assert.rejects(create("nobody"), { code: "invalid_input", message: /^EMAIL must be an e-mail address/ });
  for (const wrong of ["fourteen chars", "x".repeat(201), "x".repeat(15), "third@example.com"])
    await assert.rejects(create("third@example.com", wrong), {
      code: "invalid_input",
      message: /^ADMIN_PASSWORD (must|is too easy to guess)/,
    });
});
