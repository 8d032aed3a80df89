import assert from "node:assert/strict";
import { test } from "node:test";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { closeDatabase, pool } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { type Answer, type CallOptions, call, outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { registerAgent, succeeded } from "#testing/factories.ts";
import { afterPassword, ownerWithTotp } from "#testing/factors.ts";
import { browserHeaders, signedInOwner, signInAgain } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { ACTIONS } from "./actions/endpoints.ts";
import type { ActionName, ViewName } from "./schema.ts";
import { VIEWS } from "./views/endpoints.ts";

const { act, actAs, actAsOwner, COMMUNITY, feed, look, member } = community;

testService();

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
      assert.equal(outcome(await look(view, {}, credential)), "401 invalid_credential", `${view} ${token}`);
    }
    for (const action of BY_KEY) {
      const answer = await act(action, { title: "T", body: "B", bio: "x", post_id: newId("pst") }, credential);
      assert.equal(outcome(answer), "401 invalid_credential", `${action} ${token}`);
    }
  }
});

test("a key works only with its own public_id", async () => {
  const [agent, other] = [await member(), await member()];
  const fields = { title: "T", body: "B" };
  assert.equal(outcome(await actAs(agent, "post", { ...fields, public_id: other.publicId })), "401 invalid_credential");
  assert.equal(
    outcome(await look("me", { public_id: other.publicId }, { token: agent.key })),
    "401 invalid_credential",
  );
  succeeded(await actAs(agent, "post", { ...fields, public_id: agent.publicId }), 201);
});

test("keys in header and body must be equal", async () => {
  const [agent, other] = [await member(), await member()];
  const fields = { title: "T", body: "B" };
  succeeded(await actAs(agent, "post", { ...fields, community_key: agent.key }), 201);
  for (const differing of [other.key, ""]) {
    assert.equal(outcome(await actAs(agent, "post", { ...fields, community_key: differing })), "422 invalid_input");
  }
});

test("a bearer token takes precedence over a cookie, even if it is invalid", async () => {
  const agent = await member();
  const owner = await signedInOwner();
  const fields = { action: "post", title: "T", body: "B" };
  succeeded(await send({ token: agent.key, headers: { Cookie: owner.cookie }, body: fields }), 201);
  const bad = await send({
    token: newSecret("ghc"),
    headers: browserHeaders(agent.owner),
    body: { ...fields, public_id: agent.publicId },
  });
  assert.equal(outcome(bad), "401 invalid_credential");
});

test("a session sends no heartbeat, and reads no agent's activity; the session view is for nobody else", async () => {
  const { owner, publicId, key } = await member();
  assert.equal(outcome(await actAsOwner(owner, "heartbeat", { public_id: publicId })), "401 invalid_credential");
  const headers = { Cookie: owner.cookie };
  for (const view of ["me", "activity"] as const) {
    assert.equal(outcome(await look(view, {}, { headers })), "401 invalid_credential");
  }
  for (const credential of [{}, { token: key }])
    assert.equal(outcome(await look("session", {}, credential)), "401 invalid_credential");
});

/** What is sent, and the field that is then missing. */
const REQUIRED: [action: ActionName, fields: object, path: string][] = [
  ["register", CONSENTED, "name"],
  ["join", CONSENTED, "name"],
  ["claim", CONSENTED, "claim_token"],
  ["claim_preview", {}, "claim_token"],
  ["post", { title: "T" }, "body"],
  ["post", { body: "B" }, "title"],
  ["profile", {}, "body"],
  ["withdraw", {}, "post_id"],
  ["rotate_key", {}, "public_id"],
  ["setup_service", { homepage_url: "https://agent.example.com/" }, "public_id"],
  ["setup_service", { public_id: newId("agt") }, "homepage_url"],
  ["report", { reason: "x" }, "post_id"],
  ["report", { post_id: newId("pst") }, "reason"],
];

const pathsOf = ({ error }: Pick<Answer<unknown>, "error">) => error?.field_errors?.map(({ path }) => path);

test("each action says what it requires", async () => {
  const agent = await member();
  for (const [action, fields, path] of REQUIRED) {
    const answer = BY_KEY.some((each) => each === action)
      ? await actAs(agent, action, fields)
      : await actAsOwner(agent.owner, action, fields);
    assert.deepEqual([answer.status, pathsOf(answer)], [422, [path]], action);
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
      assert.equal(outcome(answer), "503 temporarily_unavailable");
      assert.equal(answer.error?.retryable, true);
      assert.ok(Number(answer.headers.get("Retry-After")) > 0);
    }
  } finally {
    await closeDatabase();
    Object.assign(globalThis, { guildhallEnv: kept });
  }
  succeeded(await actAs(agent, "post", fields), 201);
});

test("every answer names the rooms", async () => {
  const { rooms } = (await feed({ limit: 0 })).body;
  assert.deepEqual(rooms, ["general", "introductions", "showcase", "help", "market"]);
});

test("a post, thread or profile that is not there is 404", async () => {
  for (const [view, query] of [
    ["feed", { id: newId("pst") }],
    ["feed", { thread: newId("thr") }],
    ["profile", { public_id: newId("agt") }],
  ] as const)
    assert.equal(outcome(await look(view, query)), "404 not_found");
});

test("an agent without posts, known or not, gives an empty page and an empty neighbourhood", async () => {
  const agent = await member();
  for (const publicId of [agent.publicId, newId("agt")]) {
    assert.deepEqual((await feed({ agent: publicId })).body.posts, []);
    const network = await look<{ nodes: []; edges: [] }>("network", { agent: publicId });
    assert.deepEqual([network.body.nodes, network.body.edges], [[], []]);
  }
});

const WRONG: [string, Record<string, string>, string][] = [
  ["no view", { view: "" }, "view"],
  ["an unknown view", { view: "everything" }, "view"],
  ["an unknown room", { view: "feed", room: "lobby" }, "room"],
  ["a thread of the wrong form", { view: "feed", thread: "thr_1" }, "thread"],
  ["a profile's ID for a post", { view: "feed", id: newId("agt") }, "id"],
  ["a post's ID for a profile", { view: "profile", id: newId("pst") }, "id"],
  ["a profile view without an ID", { view: "profile" }, "public_id"],
  ["an agent of the wrong form", { view: "network", agent: "agt_0" }, "agent"],
  ["a negative limit", { view: "profiles", limit: "-1" }, "limit"],
  ["a limit that is no integer", { view: "feed", limit: "1.5" }, "limit"],
  ["a limit in words", { view: "network", limit: "ten" }, "limit"],
  ["a negative before", { view: "feed", before: "-1" }, "before"],
  ["an after that is no integer", { view: "feed", after: "now" }, "after"],
  ["an empty search", { view: "feed", q: "" }, "q"],
  ["a search of 201 characters", { view: "profiles", q: "x".repeat(201) }, "q"],
];
test("a parameter of the wrong form is 422 and named", async () => {
  for (const [what, query, path] of WRONG) {
    const answer = await look(query.view as "feed", query);
    assert.deepEqual([answer.status, pathsOf(answer)], [422, [path]], what);
  }
});

test("the path answers with and without its last slash, and unknown parameters are ignored", async () => {
  for (const path of ["/api/v1/community/", "/api/v1/community"]) {
    const answer = await call("GET", path, { query: { view: "feed", colour: "blue" } });
    succeeded(answer);
  }
});

const OWNER_ONLY = ["claim", "rotate_key", "setup_service", "report"];

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

const OF_OWNERS = ["owner", "owner_browser", "owner_second_step", "community_or_owner", "management_or_owner"];
const IN_BROWSER = ENDPOINTS.filter(({ auth, method }) => method === "POST" && OF_OWNERS.includes(auth));

test("every write from an owner's browser needs its exact Origin, its own CSRF token and a live session of the right kind", async () => {
  assert.ok(IN_BROWSER.length >= 25);
  const owner = (await ownerWithTotp()).owner;
  const awaiting = await afterPassword(owner);
  const [stranger, foreignAwaiting] = [await signedInOwner(), await afterPassword((await ownerWithTotp()).owner)];
  const [elsewhere, over] = [await signInAgain(owner), await signedInOwner()];
  await pool().query("UPDATE owner_sessions SET revoked_at = now() WHERE owner_id = $1", [over.ownerId]);
  for (const { path, selector, auth } of IN_BROWSER) {
    const isStep = auth === "owner_second_step";
    const [right, otherKind, foreign] = isStep ? [awaiting, owner, foreignAwaiting] : [owner, awaiting, stranger];
    const headers = browserHeaders(right);
    const { Cookie, Origin, "X-CSRF-Token": token } = headers as Record<string, string>;
    const wrong: [string, Record<string, string | undefined>, string][] = [
      ["no Origin", { Cookie, "X-CSRF-Token": token }, "403 csrf_failed"],
      ["no token", { Cookie, Origin }, "403 csrf_failed"],
      ["another Origin", { ...headers, Origin: "http://localhost:9" }, "403 csrf_failed"],
      ["the Origin null", { ...headers, Origin: "null" }, "403 csrf_failed"],
      ["an Origin with a slash", { ...headers, Origin: `${Origin}/` }, "403 csrf_failed"],
      ["a nonsensical token", { ...headers, "X-CSRF-Token": "x" }, "403 csrf_failed"],
      ["the token of another session", { ...headers, "X-CSRF-Token": elsewhere.csrfToken }, "403 csrf_failed"],
      ["another's token", { ...headers, "X-CSRF-Token": foreign.csrfToken }, "403 csrf_failed"],
      [
        "the token of the other kind of session",
        { ...headers, "X-CSRF-Token": otherKind.csrfToken },
        "403 csrf_failed",
      ],
      ["no session", { Origin, "X-CSRF-Token": token }, "401 invalid_credential"],
      ["a revoked session", { ...headers, Cookie: over.cookie }, "401 invalid_credential"],
      ["a forged session", { ...headers, Cookie: `${Cookie?.slice(0, -4)}AAAA` }, "401 invalid_credential"],
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
