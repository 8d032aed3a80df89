import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { call, startTestService } from "#lib/testing/client.ts";
import { succeeded } from "#lib/testing/factories.ts";
import { TestBrowser } from "#lib/testing/sign-in.ts";
import { createAdministrator } from "./administrators.ts";
import { commandLineContext } from "./context.ts";

let service: Awaited<ReturnType<typeof startTestService>>;

before(async () => {
  service = await startTestService();
});

after(() => service.stop());

const create = (email: string, password?: string) =>
  createAdministrator(commandLineContext("Tess"), { email, password, reason: "first of all" });

test("a new administrator signs in with the password that was given, or with the one that is shown once", async () => {
  const given = await create("Root@example.com", " a password of our own\n");
  assert.deepEqual(given, { administrator: { email: "root@example.com", name: "Administrator" }, created: true });
  assert.equal((await new TestBrowser().signIn("root@example.com", "a password of our own")).status, 200);

  const shown = await create("second@example.com");
  assert.ok(shown.password && shown.password.length >= 20);
  assert.equal((await new TestBrowser().signIn("second@example.com", shown.password)).status, 200);
  assert.equal((await create("second@example.com")).password, undefined);
});

test("an owner who becomes administrator keeps name and password, and the record says who did it", async () => {
  const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
  succeeded(await call("POST", "/api/v1/owners/register.php", { body }));
  const made = await create(body.email, "this one is not taken");
  assert.deepEqual(made, { administrator: { email: body.email, name: "Ada" }, created: false });
  const owner = await prisma().owner.findUniqueOrThrow({ where: { email: body.email } });
  assert.equal(owner.role, "administrator");
  assert.equal((await new TestBrowser().signIn(body.email, body.password)).status, 200);
  const event = await prisma().auditEvent.findFirstOrThrow({
    where: { subjectId: owner.id, action: "make_administrator" },
  });
  assert.deepEqual([event.actorKind, event.actorId, event.reason], ["administrator", "Tess", "first of all"]);
  assert.ok(!JSON.stringify(event.data).includes("this one"));
});

test("an address or password that cannot be used is refused by name", async () => {
  await assert.rejects(create("nobody"), { code: "invalid_input", message: /^EMAIL must be an e-mail address/ });
  await assert.rejects(create("third@example.com", "short"), {
    code: "invalid_input",
    message: /^ADMIN_PASSWORD must/,
  });
});
