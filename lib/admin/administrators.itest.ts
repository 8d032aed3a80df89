import assert from "node:assert/strict";
import { test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import { succeeded } from "#testing/factories.ts";
import { canSignIn } from "#testing/sign-in.ts";
import { createAdministrator } from "./administrators.ts";
import { commandLineContext } from "./context.ts";

testService();

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
