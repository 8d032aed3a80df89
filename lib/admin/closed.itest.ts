import assert from "node:assert/strict";
import { test } from "node:test";
import { handle } from "#lib/api/handle.ts";
import { MAX_BODY_BYTES } from "#lib/api/input.ts";
import { ADMIN_ENDPOINTS } from "#lib/api/registry.ts";
import { prisma } from "#lib/db/client.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { registerAgent, type TestAgent } from "#testing/factories.ts";
import { afterPassword, ownerWithTotp } from "#testing/factors.ts";
import { browserHeaders, callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { disableOwner, resetPassword } from "./accounts.ts";

let owner: TestOwner;
let administrator: TestOwner;
let agent: TestAgent;
/** Administrators without access: one awaits its second factor, one is disabled, one had its password reset. */
let withoutAccess: TestOwner[];
// With rate limits, so that their headers would show a difference.
testService({ RATE_LIMIT_SCALE: "100" }, async () => {
  owner = await signedInOwner();
  administrator = await signedInOwner({ role: "administrator" });
  agent = await registerAgent();
  const [guarded, disabled, reset] = [await ownerWithTotp(), await signedInOwner(), await signedInOwner()];
  for (const { ownerId } of [guarded.owner, disabled, reset])
    await prisma().owner.update({ where: { id: ownerId }, data: { role: "administrator" } });
  withoutAccess = [await afterPassword(guarded.owner), disabled, reset];
  await disableOwner(admin, { owner: disabled.ownerId, reason });
  await resetPassword(admin, { owner: reset.ownerId, reason });
});

/** The whole answer to a POST, without its request ID. */
function raw(path: string, headers: Record<string, string>, body: object): Promise<string> {
  const all = { "Content-Type": "application/json", ...headers };
  return answerTo(path, { method: "POST", headers: all, body: JSON.stringify(body) });
}

async function answerTo(path: string, init: RequestInit): Promise<string> {
  const request = new Request(new URL(path, "http://localhost:3000"), init);
  const response = await handle(request, { address: "192.0.2.1" });
  const text = `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`;
  return text.replaceAll(response.headers.get("X-Request-Id") ?? "none", "req_X");
}

type ToNowhere = { form: string; init: RequestInit; missing: string };
let toNowhere: ToNowhere[] | undefined;

/** Requests by several callers, with every method, spelling and body, and the answer to each at a path that does not exist. */
async function requestsToNowhere(): Promise<ToNowhere[]> {
  if (toNowhere) return toNowhere;
  const json = { "Content-Type": "application/json" };
  const bodies: RequestInit[] = [
    {},
    { body: "{", headers: json },
    { body: "reason=x", headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    { body: JSON.stringify({ reason: "x".repeat(MAX_BODY_BYTES) }), headers: json },
  ];
  toNowhere = [];
  // Only a POST is read at all.
  for (const caller of [{}, { Authorization: `Bearer ${agent.token}` }, browserHeaders(owner)])
    for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      for (const form of ["", "/", "?reason=x", `?management_token=${agent.token}`])
        for (const { body = null, headers } of method === "POST" ? bodies : [{}]) {
          const init = { method, body, headers: { ...headers, ...caller } };
          const missing = await answerTo(`/api/v1/admin/nothing_of_the_kind.php${form}`, init);
          assert.match(missing, /^404 .*"not_found"/);
          toNowhere.push({ form, init, missing });
        }
  return toNowhere;
}

test("there are acts to test", () => assert.ok(ADMIN_ENDPOINTS.length >= 13));

for (const { path, auth, method } of ADMIN_ENDPOINTS) {
  test(`${path} does not exist for anyone but administrators, whatever is sent`, () =>
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
          ...withoutAccess.map(browserHeaders),
        ];
        for (const headers of tried) assert.equal(await raw(path, headers, body), missing, JSON.stringify(headers));
      }
    }));

  test(`${path} answers like a missing path for every method, spelling and body`, () =>
    changesNothing(path, async () => {
      for (const { form, init, missing } of await requestsToNowhere())
        for (const address of [`${path}${form}`, ...(form === "" ? [path.replace(".php", "")] : [])])
          assert.equal(await answerTo(address, init), missing, `${init.method} ${address}`);
    }));

  test(`${path} accepts an administrator's request only from the service's own pages`, () =>
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

  test(`${path} needs a reason`, () =>
    changesNothing(path, async () => {
      for (const reason of [undefined, "", "   "]) {
        const { status, error } = await callAsOwner(administrator, "POST", path, { reason });
        assert.equal(status, 422);
        assert.ok(error?.field_errors?.some((wrong) => wrong.path === "reason"));
      }
    }));
}
