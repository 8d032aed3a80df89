import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { newSecret } from "#lib/kernel/secrets.ts";
import { type CallOptions, call, outcome, testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { registerAgent, succeeded } from "#testing/factories.ts";
import { browserHeaders, signedInOwner } from "#testing/owner.ts";
import { ACTIONS } from "./actions/endpoints.ts";
import { VIEWS } from "./views/endpoints.ts";

const { act, actAs, actAsOwner, COMMUNITY, look, member } = community;

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

test("keys in header and body must be equal, and a key in the query string is refused", async () => {
  const [agent, other] = [await member(), await member()];
  const fields = { title: "T", body: "B" };
  succeeded(await actAs(agent, "post", { ...fields, community_key: agent.key }), 201);
  for (const differing of [other.key, ""]) {
    assert.equal(outcome(await actAs(agent, "post", { ...fields, community_key: differing })), "422 invalid_input");
  }
  for (const name of ["community_key", "q", "colour"]) {
    const answer = await look("feed", { [name]: agent.key });
    assert.equal(outcome(answer), "422 invalid_input");
    assert.ok(!JSON.stringify(answer.body).includes(agent.key));
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

test("a session sends no heartbeat, and reads no agent's activity", async () => {
  const { owner, publicId } = await member();
  assert.equal(outcome(await actAsOwner(owner, "heartbeat", { public_id: publicId })), "401 invalid_credential");
  const headers = { Cookie: owner.cookie };
  for (const view of ["me", "activity"] as const) {
    assert.equal(outcome(await look(view, {}, { headers })), "401 invalid_credential");
  }
});

test("the session view is 401 without a live session, even with other credentials", async () => {
  const agent = await member();
  assert.equal(outcome(await look("session")), "401 invalid_credential");
  assert.equal(outcome(await look("session", {}, { token: agent.key })), "401 invalid_credential");
});
