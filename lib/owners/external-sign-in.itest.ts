import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { startTestService } from "#lib/testing/client.ts";
import { signedInOwner } from "#lib/testing/owner.ts";
import { PASSWORD } from "#lib/testing/sign-in.ts";
import { externalSignIn } from "./external-sign-in.ts";

let service: Awaited<ReturnType<typeof startTestService>>;

before(async () => {
  service = await startTestService();
});

after(() => service.stop());

const client = { address: "192.0.2.9", userAgent: null, cookie: null };
const ctx = () => ({ actor: { kind: "visitor" as const }, clock: systemClock, requestId: newId("req"), client });

test("another service's account opens the same owner's account every time", async () => {
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

test("another service's account opens no account that has its address by a password", async () => {
  const { email } = await signedInOwner({ password: PASSWORD });
  const account = { provider: "google" as const, subject: "18", email, name: "Mallory" };
  await assert.rejects(externalSignIn(ctx(), account), { code: "state_conflict" });
  assert.equal(await prisma().ownerLogin.count({ where: { subject: "18" } }), 0);
});

test("another service's account without an address opens nothing", async () => {
  const account = { provider: "github" as const, subject: "19", email: null, name: null };
  await assert.rejects(externalSignIn(ctx(), account), { code: "invalid_credential" });
});
