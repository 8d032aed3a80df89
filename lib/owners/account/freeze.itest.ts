import assert from "node:assert/strict";
import { test } from "node:test";
import { hold, unhold } from "#lib/admin/hold.ts";
import { ENDPOINTS } from "#lib/api/registry.ts";
import { readOwnedProfile, readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { pool } from "#lib/db/client.ts";
import { newId } from "#lib/kernel/ids.ts";
import { admin, reason } from "#testing/administrator.ts";
import { type Answer, call, outcome, testService } from "#testing/client.ts";
import { actAs, actAsOwner, type Claimed, me, member, onePost, publish } from "#testing/community.ts";
import { callAs, publishOffer, reportHealth, succeeded, type TestAgent } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { registration } from "#testing/requests.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { findOwnerActor } from "../sessions/session.ts";

let agent: Owned;
testService({}, async () => {
  agent = await owned("freezing");
});

type Owned = Claimed & TestAgent;
type Frozen = { public_id: string; frozen: boolean; frozen_at: string | null };

/** An owner's agent with a profile and a verified service that offers a skill. */
async function owned(skill: string): Promise<Owned> {
  const profile = await member();
  const set = await actAsOwner<{ management_token: string; verification: TestAgent["verification"] }>(
    profile.owner,
    "setup_service",
    { public_id: profile.publicId, homepage_url: registration().endpoint },
  );
  succeeded(set, 201);
  const { management_token: token, verification } = set.body;
  const made = { ...profile, token, verification };
  succeeded(await callAs(made, "POST", "/api/v1/agents/verify.php"));
  succeeded(await callAs(made, "POST", "/api/v1/agents/skills.php", { skills: [skill] }));
  succeeded(await reportHealth(made, "available"));
  await publishOffer(made, { skill });
  return made;
}

const freeze = (owner: TestOwner, publicId: string, fields: object = {}): Promise<Answer<Frozen>> =>
  callAsOwner(owner, "POST", "/api/v1/owners/freeze.php", { public_id: publicId, ...fields });
const thaw = (owner: TestOwner, publicId: string): Promise<Answer<Frozen>> =>
  callAsOwner(owner, "POST", "/api/v1/owners/thaw.php", { public_id: publicId });

async function whileFrozen(work: () => Promise<void>): Promise<void> {
  succeeded(await freeze(agent.owner, agent.publicId));
  try {
    await work();
  } finally {
    succeeded(await thaw(agent.owner, agent.publicId));
  }
}

function assertFrozen({ status, error }: Pick<Answer<unknown>, "status" | "error">, what = ""): void {
  assert.equal(outcome({ status, error }), "403 gate_refused", what);
  const blockedGates = error?.gates?.filter(({ passed }) => !passed) ?? [];
  assert.deepEqual(
    blockedGates.map(({ gate, reason }) => [gate, reason]),
    [["hold", "owner_frozen"]],
    what,
  );
  assert.match(blockedGates[0]?.remedy ?? "", /thaw/);
}

test("freezing and thawing answer with the state, and repeating them changes nothing", async () => {
  const { owner, publicId } = agent;
  const { body } = await freeze(owner, publicId, { reason: "It behaves oddly." });
  assert.deepEqual([body.public_id, body.frozen], [publicId, true]);
  assert.match(body.frozen_at ?? "", /Z$/);
  await changesNothing("freezing again", async () => assert.deepEqual((await freeze(owner, publicId)).body, body));
  const thawed = (await thaw(owner, publicId)).body;
  assert.deepEqual([thawed.frozen, thawed.frozen_at], [false, null]);
  await changesNothing("thawing again", async () => assert.deepEqual((await thaw(owner, publicId)).body, thawed));
  const { rows } = await pool().query(
    "SELECT action, actor_kind, actor_id, subject_kind, reason FROM audit_events WHERE subject_id = $1 AND action IN ('freeze', 'thaw') ORDER BY seq",
    [publicId],
  );
  const entry = { actor_kind: "owner", actor_id: owner.ownerId, subject_kind: "identity" };
  assert.deepEqual(rows, [
    { action: "freeze", ...entry, reason: "It behaves oddly." },
    { action: "thaw", ...entry, reason: null },
  ]);
});

test("only its owner can freeze or thaw an agent; others get the same answer as for a missing agent", async () => {
  const other = await signedInOwner();
  for (const act of [freeze, thaw])
    await changesNothing(act.name, async () => {
      const missing = await act(other, newId("agt"));
      const foreign = await act(other, agent.publicId);
      assert.equal(outcome(foreign), "404 not_found");
      assert.deepEqual(foreign.error, missing.error);
    });
});

const writes = ENDPOINTS.filter(({ method }) => method === "POST");

test("a frozen agent's management token cannot write", () =>
  whileFrozen(async () => {
    const byToken = writes.filter(
      ({ auth, errors }) =>
        ["service", "bearer", "management_or_owner"].includes(auth) && !errors.includes("gate_refused"),
    );
    assert.ok(byToken.length >= 6);
    for (const { path, selector } of byToken) {
      const select = selector ? { [selector.field]: selector.value } : {};
      const answer = await changesNothing(path, () =>
        call("POST", path, { token: agent.token, body: { ...select, public_id: agent.publicId } }),
      );
      assertFrozen(answer, path);
    }
    const fields = { brief: "b", budget_pence: 0, client_request_id: newId("req") };
    assertFrozen(await callAs(agent, "POST", "/api/v1/jobs/create.php", fields));
  }));

test("a frozen agent's community key cannot write", () =>
  whileFrozen(async () => {
    const byKey = writes.filter(({ auth }) => auth === "community" || auth === "community_or_owner");
    for (const { path, selector } of byKey) {
      const action = selector?.value as Parameters<typeof actAs>[1];
      const fields = { title: "A title", body: "Some text.", bio: "Other.", post_id: newId("pst") };
      const send = () => (selector ? actAs(agent, action, fields) : call("POST", path, { token: agent.key, body: {} }));
      assertFrozen(await changesNothing(action ?? path, send), action ?? path);
    }
    const names = byKey.map(({ path, selector }) => selector?.value ?? path.slice("/api/v1/".length));
    const apart = ["moderation/appeal.php", "moderation/mute.php"];
    assert.deepEqual(names.sort(), ["heartbeat", ...apart, "post", "profile", "withdraw"]);
  }));

test("a frozen agent can still read, and its readiness says that it is frozen", () =>
  whileFrozen(async () => {
    type Me = { identity: { frozen: boolean }; readiness: { step: string; done: boolean; remedy: string | null }[] };
    const own = await callAs<Me>(agent, "GET", "/api/v1/agents/me.php");
    succeeded(own);
    assert.equal(own.body.identity.frozen, true);
    const step = own.body.readiness.find(({ step }) => step === "hold");
    assert.deepEqual([step?.done, /thaw/.test(step?.remedy ?? "")], [false, true]);
    const { body } = await me(agent);
    const active = body.readiness.find(({ step }) => step === "active");
    assert.deepEqual([active?.done, /thaw/.test(active?.how ?? "")], [false, true]);
  }));

test("a frozen agent is not matched, available or eligible until it is thawed", async () => {
  const query = { skill: "freezing", budget_pence: 1_000 };
  type Conditions = { eligible: boolean; conditions: { condition: string; passed: boolean }[] };
  const seen = async () => {
    const matches = await call<{ matches: unknown[] }>("GET", "/api/v1/agents/match.php", { query });
    const directory = { skill: "freezing", available: "1" };
    const listed = await call<{ agents: unknown[] }>("GET", "/api/v1/agents/directory.php", { query: directory });
    const { eligible, conditions } = (await callAs<Conditions>(agent, "GET", "/api/v1/agents/eligibility.php", query))
      .body;
    const failed = conditions.filter(({ passed }) => !passed).map(({ condition }) => condition);
    return [matches.body.matches.length, listed.body.agents.length, eligible, failed];
  };
  assert.deepEqual(await seen(), [1, 1, true, []]);
  await whileFrozen(async () => assert.deepEqual(await seen(), [0, 0, false, ["active"]]));
  assert.deepEqual(await seen(), [1, 1, true, []]);
});

test("the owner of a frozen agent cannot post as it, but can withdraw posts, change its profile and rotate its key", async () => {
  const { owner, publicId } = agent;
  const written = await publish(agent);
  await whileFrozen(async () => {
    assertFrozen(await actAsOwner(owner, "post", { public_id: publicId, title: "A title", body: "Some text." }));
    succeeded(await actAsOwner(owner, "withdraw", { post_id: written.post_id }));
    assert.equal((await onePost(written.post_id))?.withdrawn, true);
    succeeded(await actAsOwner(owner, "profile", { public_id: publicId, bio: "As it should be." }));
    const rotated = await actAsOwner<{ community_key: string }>(owner, "rotate_key", { public_id: publicId });
    succeeded(rotated);
    agent.key = rotated.body.community_key;
    assertFrozen(await actAs(agent, "heartbeat"));
  });
  succeeded(await actAs(agent, "heartbeat"));
});

test("the owner's freeze and the administrator's hold are independent, and each is lifted by the one who set it", async () => {
  const { owner, publicId } = agent;
  const held = { subjectId: publicId, reason };
  const fields = () => ({ brief: "b", budget_pence: 0, client_request_id: newId("req") });
  const create = () => callAs(agent, "POST", "/api/v1/jobs/create.php", fields());
  const reasons = async () => (await create()).error?.gates?.flatMap(({ passed, reason }) => (passed ? [] : [reason]));
  await hold(admin, held);
  succeeded(await freeze(owner, publicId));
  assert.deepEqual(await reasons(), ["identity_held"]);
  await unhold(admin, held);
  assert.deepEqual(await reasons(), ["owner_frozen"]);
  await hold(admin, held);
  succeeded(await thaw(owner, publicId));
  assert.deepEqual(await reasons(), ["identity_held"]);
  await unhold(admin, held);
  succeeded(await create(), 201);
});

test("a service identity set up for a frozen profile is frozen too", async () => {
  const profile = await member();
  const { owner, publicId } = profile;
  succeeded(await freeze(owner, publicId));
  const set = await actAsOwner<{ management_token: string; verification: TestAgent["verification"] }>(
    owner,
    "setup_service",
    { public_id: publicId, homepage_url: registration().endpoint },
  );
  const made = { ...profile, token: set.body.management_token, verification: set.body.verification };
  assertFrozen(await callAs(made, "POST", "/api/v1/agents/verify.php"));
  succeeded(await thaw(owner, publicId));
  succeeded(await callAs(made, "POST", "/api/v1/agents/verify.php"));
});

test("the owner's pages show when an agent was frozen, and which secrets were reported as leaked", async () => {
  const shown = await owned("showing");
  const owner = await findOwnerActor(shown.owner.cookie);
  assert.ok(owner);
  const notices = async () => {
    const [listed] = await readOwnedProfiles(owner);
    const { notices } = await readOwnedProfile(owner, shown.publicId);
    assert.deepEqual(listed?.notices, notices);
    return Object.entries(notices).flatMap(([name, at]) => (at ? [name] : []));
  };
  assert.deepEqual(await notices(), []);
  succeeded(await freeze(shown.owner, shown.publicId));
  assert.deepEqual(await notices(), ["frozenAt"]);
  for (const secret of [shown.token, shown.key])
    await call("POST", "/api/v1/agents/report_leak.php", { body: { secret } });
  assert.deepEqual((await notices()).sort(), ["frozenAt", "keyLeakedAt", "tokenLeakedAt"]);
  succeeded(await actAsOwner(shown.owner, "rotate_key", { public_id: shown.publicId }));
  assert.deepEqual((await notices()).sort(), ["frozenAt", "tokenLeakedAt"]);
});
