import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { handle } from "#lib/api/handle.ts";
import { ADMIN_ENDPOINTS } from "#lib/api/registry.ts";
import { startTestService } from "#lib/testing/client.ts";
import { registerAgent, type TestAgent } from "#lib/testing/factories.ts";
import { browserHeaders, callAsOwner, signedInOwner, type TestOwner } from "#lib/testing/owner.ts";
import { changesNothing } from "#lib/testing/snapshot.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
let owner: TestOwner;
let administrator: TestOwner;
let agent: TestAgent;
before(async () => {
  // With limits, which say in their headers what they count.
  service = await startTestService({ RATE_LIMIT_SCALE: "100" });
  owner = await signedInOwner();
  administrator = await signedInOwner({ role: "administrator" });
  agent = await registerAgent();
});
after(() => service.stop());

/** An answer to the byte, but for what names the request. */
async function raw(path: string, headers: Record<string, string>, body: object): Promise<string> {
  const request = new Request(new URL(path, "http://localhost:3000"), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const response = await handle(request, { address: "192.0.2.1" });
  const text = `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  return text.replaceAll(response.headers.get("X-Request-Id") ?? "none", "req_X");
}

test("there are acts to try this on", () => assert.ok(ADMIN_ENDPOINTS.length >= 13));

for (const { path, auth, method } of ADMIN_ENDPOINTS) {
  test(`${path} is there for nobody but an administrator, whatever is sent`, () =>
    changesNothing(path, async () => {
      assert.deepEqual([auth, method], ["administrator", "POST"]);
      const missing = await raw("/api/v1/admin/nothing_of_the_kind.php", {}, {});
      assert.match(missing, /^404 .*"not_found"/);
      for (const body of [{}, { public_id: agent.publicId, subject: agent.publicId, reason: "Because." }, { x: 1 }]) {
        const tried: Record<string, string>[] = [
          {},
          { Origin: "http://localhost:3000", "X-CSRF-Token": owner.csrfToken },
          { Cookie: "next-auth.session-token=nonsense" },
          { Authorization: `Bearer ${agent.token}` },
          { Cookie: owner.cookie },
          browserHeaders(owner),
          { ...browserHeaders(owner), "X-CSRF-Token": administrator.csrfToken },
        ];
        for (const headers of tried) assert.equal(await raw(path, headers, body), missing, JSON.stringify(headers));
      }
    }));

  test(`${path} takes an administrator's word from the service's own pages alone`, () =>
    changesNothing(path, async () => {
      const all = browserHeaders(administrator);
      const tried: Record<string, string>[] = [
        { Cookie: administrator.cookie },
        { ...all, Origin: "http://elsewhere.example" },
        { ...all, "X-CSRF-Token": owner.csrfToken },
      ];
      for (const wrong of tried) {
        assert.match(await raw(path, wrong, { reason: "Because." }), /^403 .*"csrf_failed"/);
      }
    }));

  test(`${path} asks for a reason`, () =>
    changesNothing(path, async () => {
      for (const reason of [undefined, "", "   "]) {
        const { status, error } = await callAsOwner(administrator, "POST", path, { reason });
        assert.equal(status, 422);
        assert.ok(error?.field_errors?.some((wrong) => wrong.path === "reason"));
      }
    }));
}

test("who is an administrator no longer is told the same as everyone, with a session that was open before", async () => {
  const { prisma } = await import("#lib/db/client.ts");
  const former = await signedInOwner({ role: "administrator" });
  await prisma().owner.update({ where: { id: former.ownerId }, data: { role: "owner" } });
  const body = { public_id: agent.publicId, reason: "Because." };
  assert.match(await raw("/api/v1/admin/suspend.php", browserHeaders(former), body), /^404 /);
});
