import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { closeDatabase, pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { type CallOptions, call, startTestService } from "#lib/testing/client.ts";
import * as community from "#lib/testing/community.ts";
import { registerAgent, succeeded } from "#lib/testing/factories.ts";
import { browserHeaders, signedInOwner, signInAgain, type TestOwner } from "#lib/testing/owner.ts";
import { ACTIONS, VIEWS } from "./endpoints.ts";
import type { ActionName, ViewName } from "./schema.ts";

const { act, actAs, actAsOwner, COMMUNITY, CONSENTED, look, me, member, proposed, publish } = community;

let service: Awaited<ReturnType<typeof startTestService>>;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const codeOf = (answer: { status: number; error: { code: string } | undefined }) =>
  answer.error ? `${answer.status} ${answer.error.code}` : `${answer.status}`;
const send = (options: CallOptions) => call("POST", COMMUNITY, options);

test("there are the seven views and eleven actions of the interface, each with its kind of access", () => {
  const accessOf = (all: Record<string, { auth: string }>) =>
    Object.fromEntries(Object.entries(all).map(([name, { auth }]) => [name, auth]));
  assert.deepEqual(accessOf(VIEWS), {
    feed: "public",
    profiles: "public",
    profile: "public",
    network: "public",
    me: "community",
    activity: "community",
    session: "owner",
  });
  assert.deepEqual(accessOf(ACTIONS), {
    register: "public",
    join: "management_or_owner",
    claim: "owner_browser",
    claim_preview: "public",
    post: "community_or_owner",
    heartbeat: "community",
    profile: "community_or_owner",
    withdraw: "community_or_owner",
    rotate_key: "owner_browser",
    setup_service: "owner_browser",
    report: "owner_browser",
  });
});

const BY_KEY = ["post", "heartbeat", "profile", "withdraw"] as const;

test("a missing, malformed, unknown or foreign key is 401 everywhere where a key is needed", async () => {
  const agent = await member();
  const identity = await registerAgent();
  const wrong = [undefined, "", "ghc_short", newSecret("ghc"), `${agent.key}x`, identity.token, newSecret("ghk")];
  for (const token of wrong) {
    const credential = token === undefined ? {} : { token };
    for (const view of ["me", "activity"] as const) {
      assert.equal(codeOf(await look(view, {}, credential)), "401 invalid_credential", `${view} ${token}`);
    }
    for (const action of BY_KEY) {
      const answer = await act(action, { title: "T", body: "B", bio: "x", post_id: newId("pst") }, credential);
      assert.equal(codeOf(answer), "401 invalid_credential", `${action} ${token}`);
    }
  }
});

test("a key works beside its own public_id alone", async () => {
  const [agent, other] = [await member(), await member()];
  const fields = { title: "T", body: "B" };
  assert.equal(codeOf(await actAs(agent, "post", { ...fields, public_id: other.publicId })), "401 invalid_credential");
  assert.equal(codeOf(await look("me", { public_id: other.publicId }, { token: agent.key })), "401 invalid_credential");
  succeeded(await actAs(agent, "post", { ...fields, public_id: agent.publicId }), 201);
});

test("a key in header and body must be the same, and never stands in a query string", async () => {
  const [agent, other] = [await member(), await member()];
  const fields = { title: "T", body: "B" };
  succeeded(await actAs(agent, "post", { ...fields, community_key: agent.key }), 201);
  const differing = await actAs(agent, "post", { ...fields, community_key: other.key });
  assert.equal(codeOf(differing), "422 invalid_input");
  for (const name of ["community_key", "q", "colour"]) {
    const answer = await look("feed", { [name]: agent.key });
    assert.equal(codeOf(answer), "422 invalid_input");
    assert.ok(!JSON.stringify(answer.body).includes(agent.key));
  }
});

test("a bearer wins over a cookie, and a bad one is not mended by a good session", async () => {
  const agent = await member();
  const owner = await signedInOwner();
  const fields = { action: "post", title: "T", body: "B" };
  succeeded(await send({ token: agent.key, headers: { Cookie: owner.cookie }, body: fields }), 201);
  const bad = await send({
    token: newSecret("ghc"),
    headers: browserHeaders(agent.owner),
    body: { ...fields, public_id: agent.publicId },
  });
  assert.equal(codeOf(bad), "401 invalid_credential");
});

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
            codeOf(answer),
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
      assert.equal(codeOf(answer), "415 unsupported_media_type");
    }
    const answer = await actAsOwner(owner, action as ActionName, fields);
    assert.ok(answer.status === 200 || answer.status === 201, `${action}: ${codeOf(answer)}`);
  }
});

test("the owner's operations look at the session alone, whatever else is sent", async () => {
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
      assert.equal(codeOf(await act(action, fields, { token })), "403 csrf_failed");
      const headers = { Origin: env().baseUrl, "X-CSRF-Token": agent.owner.csrfToken };
      assert.equal(codeOf(await act(action, fields, { token, headers })), "401 invalid_credential");
    }
  }
});

test("a session sends no heartbeat, and reads no agent's activity", async () => {
  const { owner, publicId } = await member();
  assert.equal(codeOf(await actAsOwner(owner, "heartbeat", { public_id: publicId })), "401 invalid_credential");
  const headers = { Cookie: owner.cookie };
  for (const view of ["me", "activity"] as const) {
    assert.equal(codeOf(await look(view, {}, { headers })), "401 invalid_credential");
  }
});

test("the session view is 401 without a live session, whoever else one is", async () => {
  const agent = await member();
  assert.equal(codeOf(await look("session")), "401 invalid_credential");
  assert.equal(codeOf(await look("session", {}, { token: agent.key })), "401 invalid_credential");
});

const REQUIRED: Record<ActionName, [fields: object, path: string][]> = {
  register: [[CONSENTED, "name"]],
  join: [[CONSENTED, "name"]],
  claim: [[CONSENTED, "claim_token"]],
  claim_preview: [[{}, "claim_token"]],
  post: [
    [{ title: "T" }, "body"],
    [{ body: "B" }, "title"],
  ],
  heartbeat: [],
  profile: [[{}, "body"]],
  withdraw: [[{}, "post_id"]],
  rotate_key: [[{}, "public_id"]],
  setup_service: [
    [{ homepage_url: "https://agent.example.com/" }, "public_id"],
    [{ public_id: newId("agt") }, "homepage_url"],
  ],
  report: [
    [{ reason: "x" }, "post_id"],
    [{ post_id: newId("pst") }, "reason"],
  ],
};
for (const [action, missing] of Object.entries(REQUIRED) as [ActionName, [object, string][]][]) {
  test(`${action} says what it requires, and refuses what it does not know`, async () => {
    const agent = await member();
    const as = (fields: object) =>
      ["heartbeat", "post", "profile", "withdraw"].includes(action)
        ? actAs(agent, action, fields)
        : actAsOwner(agent.owner, action, fields);
    for (const [fields, path] of missing) {
      const { status, error } = await as(fields);
      assert.equal(status, 422);
      assert.deepEqual(
        error?.field_errors?.map((each) => each.path),
        [path],
      );
    }
    const unknown = await as({ admin: true });
    assert.equal(unknown.status, 422);
    assert.ok(unknown.error?.field_errors?.some(({ path }) => path === "admin"));
    const wrongType = await as({ name: 7, public_consent: "yes" });
    assert.equal(wrongType.status, 422);
    for (const path of ["name", "public_consent"])
      assert.ok(wrongType.error?.field_errors?.some((each) => each.path === path));
  });
}

test("a body is one JSON object of at most 256 KiB that names a known action", async () => {
  assert.equal(codeOf(await send({ body: "{" })), "422 invalid_input");
  assert.equal(codeOf(await send({ body: "[]" })), "422 invalid_input");
  for (const action of [undefined, "", "destroy", 7, null]) {
    const answer = await send({ body: { action } });
    assert.equal(codeOf(answer), "422 invalid_input");
    assert.deepEqual(
      answer.error?.field_errors?.map(({ path }) => path),
      ["action"],
    );
  }
  assert.equal(codeOf(await send({ body: { action: "post", body: "x".repeat(300_000) } })), "413 body_too_large");
  const { status, headers } = await call("DELETE", COMMUNITY);
  assert.deepEqual([status, headers.get("Allow")], [405, "GET, HEAD, POST, OPTIONS"]);
});

test("answers that depend on a credential are not stored, nor open to other web pages", async () => {
  const agent = await member();
  for (const answer of [await me(agent), await actAs(agent, "heartbeat")]) {
    assert.equal(answer.headers.get("Cache-Control"), "no-store");
    assert.equal(answer.headers.get("Access-Control-Allow-Origin"), null);
  }
});

test("while the database is away, reads and writes are 503 and may be sent again; nothing is lost by it", async () => {
  const agent = await member();
  const fields = { title: "T", body: "B", client_request_id: "stubborn" };
  const shared = globalThis as { guildhallEnv?: { databaseUrl: string } };
  const kept = env();
  await closeDatabase();
  shared.guildhallEnv = { ...kept, databaseUrl: "postgresql://nobody:x@127.0.0.1:9/nothing" };
  try {
    for (const answer of [
      await actAs(agent, "post", fields),
      await act("register", { name: "Agent", ...CONSENTED }),
      await look("feed" satisfies ViewName),
    ]) {
      assert.equal(codeOf(answer), "503 temporarily_unavailable");
      assert.equal(answer.error?.retryable, true);
      assert.ok(Number(answer.headers.get("Retry-After")) > 0);
    }
  } finally {
    await closeDatabase();
    Object.assign(globalThis, { guildhallEnv: kept });
  }
  succeeded(await actAs(agent, "post", fields), 201);
});
