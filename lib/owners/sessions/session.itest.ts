import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { signedInOwner, signInAgain } from "#testing/owner.ts";
import { sessionCookie } from "./cookies.ts";
import { findOwnerActor, openSession } from "./session.ts";
import { writeSessionToken } from "./session-token.ts";

testService();

test("a live session's cookie identifies its owner, anywhere in the header", async () => {
  const owner = await signedInOwner({ name: "Ada" });
  for (const header of [owner.cookie, `theme=dark; ${owner.cookie}`, `${owner.cookie}; other=1`]) {
    const actor = await findOwnerActor(header);
    assert.deepEqual([actor?.id, actor?.name, actor?.role], [owner.ownerId, "Ada", "owner"]);
    assert.equal(actor?.csrfToken, owner.csrfToken);
  }
});

test("a missing, foreign or altered cookie, or one under another secret, identifies nobody", async () => {
  const { cookie } = await signedInOwner();
  const token = cookie.split("=")[1] ?? "";
  const changed = `${token.slice(0, -2)}${token.endsWith("A") ? "BB" : "AA"}`;
  const { name } = sessionCookie();
  for (const header of [null, "", "theme=dark", `${name}=`, `${name}=x`, `${name}=${changed}`, `x${name}=${token}`]) {
    assert.equal(await findOwnerActor(header), undefined, header ?? "none");
  }
  const original = process.env.AUTH_SECRET;
  await configure({ AUTH_SECRET: "another secret, which is long enough too" });
  const forged = await writeSessionToken("anything");
  await configure();
  assert.equal(process.env.AUTH_SECRET, original);
  assert.equal(await findOwnerActor(`${name}=${forged}`), undefined);
});

test("a cookie without its row in the database identifies nobody", async () => {
  assert.equal(await findOwnerActor(`${sessionCookie().name}=${await writeSessionToken("never-opened")}`), undefined);
});

test("revoked and expired sessions identify nobody, and the owner's other sessions stay live", async () => {
  const first = await signedInOwner();
  const second = await signInAgain(first);
  const third = await signInAgain(first);
  const digest = async (cookie: string) => (await findOwnerActor(cookie))?.sessionDigest ?? Buffer.of();
  const where = async (cookie: string) => ({ idDigest: Uint8Array.from(await digest(cookie)) });
  await prisma().ownerSession.update({ where: await where(first.cookie), data: { revokedAt: systemClock.now() } });
  await prisma().ownerSession.update({
    where: await where(second.cookie),
    data: { expiresAt: secondsAfter(systemClock.now(), -1) },
  });
  assert.equal(await findOwnerActor(first.cookie), undefined);
  assert.equal(await findOwnerActor(second.cookie), undefined);
  assert.equal((await findOwnerActor(third.cookie))?.id, first.ownerId);
});

test("each session has its own CSRF token", async () => {
  const one = await signedInOwner();
  const other = await signInAgain(one);
  assert.notEqual(one.csrfToken, other.csrfToken);
});

test("the database stores only keyed digests of session IDs, and the cookie nothing about the person", async () => {
  const owner = await signedInOwner({ name: "Grace" });
  const sid = await openSession({ ownerId: owner.ownerId, userAgent: "x".repeat(1_000) });
  assert.ok(sid);
  const rows = await prisma().ownerSession.findMany({ where: { ownerId: owner.ownerId } });
  assert.equal(rows.length, 2);
  for (const { idDigest, userAgent } of rows) {
    assert.ok(!Buffer.from(idDigest).includes(sid));
    assert.ok((userAgent?.length ?? 0) <= 300);
  }
  assert.ok(!Buffer.from(owner.cookie).includes("Grace"));
});
