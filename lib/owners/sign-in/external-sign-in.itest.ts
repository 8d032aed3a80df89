import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { actAsOwner } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { canSignIn, PASSWORD } from "#testing/sign-in.ts";
import { findBySession, findOwnerActor } from "../sessions/session.ts";
import { externalSignIn } from "./external-sign-in.ts";

testService();

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
