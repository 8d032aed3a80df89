import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { type CallOptions, call, outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { registerAgent } from "#testing/factories.ts";
import { afterPassword, ownerWithTotp } from "#testing/factors.ts";
import { browserHeaders, signedInOwner, signInAgain, type TestOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import type { ActionName } from "./schema.ts";

const { act, actAsOwner, COMMUNITY, member, proposed, publish } = community;

testService();

const send = (options: CallOptions) => call("POST", COMMUNITY, options);

/** What an owner can do, with everything that it needs. */
async function requestsOf(owner: TestOwner): Promise<Record<string, object>> {
  const mine = await member({}, owner);
  const { claimToken } = await proposed();
  const theirs = await publish(await member());
  const own = await publish(mine);
  return {
    claim: { claim_token: claimToken, ...CONSENTED },
    rotate_key: { public_id: (await member({}, owner)).publicId },
    setup_service: { public_id: mine.publicId, homepage_url: "https://agent.example.com/" },
    report: { post_id: theirs.post_id, reason: "Look at this." },
    join: { name: "Another", ...CONSENTED },
    post: { public_id: mine.publicId, title: "T", body: "B" },
    profile: { public_id: mine.publicId, bio: "x" },
    withdraw: { post_id: own.post_id },
  };
}
const OWNER_ONLY = ["claim", "rotate_key", "setup_service", "report"];

type Sent<Value> = [name: string, value: Value][];

test("an owner's write needs a live session, its exact Origin and its own CSRF token: every combination", async () => {
  const owner = await signedInOwner();
  const [elsewhere, other, over] = [await signInAgain(owner), await signedInOwner(), await signedInOwner()];
  await pool().query("UPDATE owner_sessions SET revoked_at = now() WHERE owner_id = $1", [over.ownerId]);
  const origins: Sent<string | undefined> = [
    ["exact", env().baseUrl],
    ["none", undefined],
    ["another port", "http://localhost:9"],
    ["null", "null"],
    ["with a slash", `${env().baseUrl}/`],
  ];
  const tokens: Sent<string | undefined> = [
    ["own", owner.csrfToken],
    ["none", undefined],
    ["of another session", elsewhere.csrfToken],
    ["of another owner", other.csrfToken],
    ["nonsense", "x"],
  ];
  const sessions: Sent<string | undefined> = [
    ["live", owner.cookie],
    ["none", undefined],
    ["revoked", over.cookie],
    ["forged", `${owner.cookie.slice(0, -4)}AAAA`],
  ];
  const requests = await requestsOf(owner);
  for (const [action, fields] of Object.entries(requests)) {
    for (const [originName, origin] of origins) {
      for (const [tokenName, token] of tokens) {
        for (const [sessionName, cookie] of sessions) {
          if (originName === "exact" && tokenName === "own" && sessionName === "live") continue;
          const headers = {
            ...(origin === undefined ? {} : { Origin: origin }),
            ...(token === undefined ? {} : { "X-CSRF-Token": token }),
            ...(cookie === undefined ? {} : { Cookie: cookie }),
          };
          const answer = await send({ headers, body: { action, ...fields } });
          const headless = OWNER_ONLY.includes(action) && (origin === undefined || token === undefined);
          const expected = headless || sessionName === "live" ? "403 csrf_failed" : "401 invalid_credential";
          assert.equal(
            outcome(answer),
            expected,
            `${action}: origin ${originName}, token ${tokenName}, session ${sessionName}`,
          );
        }
      }
    }
    // Nothing of all that did anything: the right request still finds everything as it was.
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]) {
      const answer = await send({
        headers: { ...browserHeaders(owner), "Content-Type": type },
        body: { action, ...fields },
      });
      assert.equal(outcome(answer), "415 unsupported_media_type");
    }
    const answer = await actAsOwner(owner, action as ActionName, fields);
    assert.ok(answer.status === 200 || answer.status === 201, `${action}: ${outcome(answer)}`);
  }
});

test("the owner's operations depend only on the session, whatever else is sent", async () => {
  const agent = await member();
  const identity = await registerAgent();
  for (const action of OWNER_ONLY as ActionName[]) {
    const fields = {
      public_id: agent.publicId,
      post_id: newId("pst"),
      community_key: agent.key,
      claim_token: "x",
      reason: "x",
    };
    for (const token of [agent.key, identity.token]) {
      assert.equal(outcome(await act(action, fields, { token })), "403 csrf_failed");
      const headers = { Origin: env().baseUrl, "X-CSRF-Token": agent.owner.csrfToken };
      assert.equal(outcome(await act(action, fields, { token, headers })), "401 invalid_credential");
    }
  }
});

const BROWSER_ONLY = ENDPOINTS.filter(
  ({ auth, method }) => method === "POST" && ["owner", "owner_browser", "owner_second_step"].includes(auth),
);

test("every write of an owner's browser, whatever it is about, needs Origin, CSRF token and the right kind of session", async () => {
  assert.ok(BROWSER_ONLY.length >= 20);
  const owner = (await ownerWithTotp()).owner;
  const awaiting = await afterPassword(owner);
  const [stranger, foreignAwaiting] = [await signedInOwner(), await afterPassword((await ownerWithTotp()).owner)];
  for (const { path, selector, auth } of BROWSER_ONLY) {
    const isStep = auth === "owner_second_step";
    const [right, otherKind, foreign] = isStep ? [awaiting, owner, foreignAwaiting] : [owner, awaiting, stranger];
    const headers = browserHeaders(right);
    const { Cookie, Origin, "X-CSRF-Token": token } = headers as Record<string, string>;
    const wrong: [string, Record<string, string | undefined>, string][] = [
      ["no Origin", { Cookie, "X-CSRF-Token": token }, "403 csrf_failed"],
      ["no token", { Cookie, Origin }, "403 csrf_failed"],
      ["another Origin", { ...headers, Origin: "http://localhost:9" }, "403 csrf_failed"],
      ["the Origin null", { ...headers, Origin: "null" }, "403 csrf_failed"],
      ["another's token", { ...headers, "X-CSRF-Token": foreign.csrfToken }, "403 csrf_failed"],
      [
        "the token of the other kind of session",
        { ...headers, "X-CSRF-Token": otherKind.csrfToken },
        "403 csrf_failed",
      ],
      ["no session", { Origin, "X-CSRF-Token": token }, "401 invalid_credential"],
      ["the other kind of session", browserHeaders(otherKind), "401 invalid_credential"],
    ];
    const body = selector ? { [selector.field]: selector.value } : {};
    await changesNothing(path, async () => {
      for (const [name, sent, expected] of wrong) {
        const answer = await call("POST", path, { headers: sent as Record<string, string>, body });
        assert.equal(outcome(answer), expected, `${path} ${selector?.value ?? ""}: ${name}`);
      }
    });
  }
});
