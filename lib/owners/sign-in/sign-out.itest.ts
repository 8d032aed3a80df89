import assert from "node:assert/strict";
import { test } from "node:test";
import { call, testService } from "#testing/client.ts";
import { browserHeaders, callAsOwner, signedInOwner, signInAgain } from "#testing/owner.ts";
import { findOwnerActor } from "../sessions/session.ts";

testService();

const EVERYWHERE = "/api/v1/owners/sign_out_everywhere.php";

test("signing out everywhere ends every session, including this one", async () => {
  const owner = await signedInOwner();
  const others = [await signInAgain(owner), await signInAgain(owner)];
  const bystander = await signedInOwner();
  const answer = await callAsOwner<{ revoked_sessions: number }>(owner, "POST", EVERYWHERE);
  assert.equal(answer.body.revoked_sessions, 3);
  for (const { cookie } of [owner, ...others]) assert.equal(await findOwnerActor(cookie), undefined);
  assert.equal((await callAsOwner(owner, "POST", EVERYWHERE)).status, 401);
  assert.ok(await findOwnerActor(bystander.cookie));
});

test("writes need the exact Origin and this session's CSRF token", async () => {
  const owner = await signedInOwner();
  const again = await signInAgain(owner);
  const good = browserHeaders(owner);
  const bad: Record<string, string>[] = [
    { ...good, Origin: "https://evil.example" },
    { ...good, Origin: `${good.Origin}/` },
    { ...good, "X-CSRF-Token": "" },
    { ...good, "X-CSRF-Token": again.csrfToken },
    { ...good, "X-CSRF-Token": `${owner.csrfToken}x` },
  ];
  for (const headers of bad) {
    const { status, error } = await call("POST", EVERYWHERE, { headers, body: {} });
    assert.deepEqual([status, error?.code], [403, "csrf_failed"]);
  }
  assert.ok(await findOwnerActor(owner.cookie));
});
