import assert from "node:assert/strict";
import { test } from "node:test";
import { readConcerns, readOnePost, readOwnPosts } from "#lib/community/owned/posts.ts";
import { readOwnedProfile, readOwnedProfiles } from "#lib/community/owned/profiles.ts";
import { testService } from "#testing/client.ts";
import { actAs, actAsOwner, type Proposed, proposed } from "#testing/community.ts";
import { succeeded } from "#testing/factories.ts";
import { callAsOwner, signedInOwner, type TestOwner } from "#testing/owner.ts";
import { CONSENTED } from "#testing/requests.ts";
import { findOwnerActor } from "./sessions/session.ts";

testService();

const CLAIMED = "/api/v1/owners/claimed.php";

async function claimedBy(owner: TestOwner): Promise<Proposed> {
  const agent = await proposed({ name: "Quill" });
  succeeded(await actAsOwner(owner, "claim", { claim_token: agent.claimToken, ...CONSENTED }));
  return agent;
}

async function actorOf({ cookie }: TestOwner) {
  const actor = await findOwnerActor(cookie);
  assert.ok(actor);
  return actor;
}

test("a used claim link shows its profile only to the owner", async () => {
  const [mine, other] = [await signedInOwner(), await signedInOwner()];
  const agent = await claimedBy(mine);
  const ask = (owner: TestOwner, token: string) =>
    callAsOwner<{ profile: unknown }>(owner, "POST", CLAIMED, { claim_token: token });
  assert.deepEqual((await ask(mine, agent.claimToken)).body.profile, { public_id: agent.publicId, name: "Quill" });
  assert.equal((await ask(other, agent.claimToken)).body.profile, null);
  assert.equal((await ask(mine, (await proposed()).claimToken)).body.profile, null);
  assert.equal((await ask(mine, `ghk_${"A".repeat(43)}`)).status, 401);
});

test("an owner reads the list and details of their own profiles, and nobody else's", async () => {
  const [owner, other] = [await signedInOwner(), await signedInOwner()];
  const [one, two] = [await claimedBy(owner), await claimedBy(owner)];
  await claimedBy(other);
  const actor = await actorOf(owner);
  const profiles = await readOwnedProfiles(actor);
  assert.deepEqual(
    profiles.map(({ publicId, state, key, service: identity }) => [publicId, state, key.hint, identity]),
    [one, two].map(({ publicId, key }) => [publicId, "claimed", key.slice(-4), null]),
  );
  const { profile, steps, verification } = await readOwnedProfile(actor, one.publicId);
  assert.equal(profile.public_id, one.publicId);
  assert.ok(steps.some(({ step, done }) => step === "claim" && done));
  assert.equal(verification, null);
  await assert.rejects(readOwnedProfile(await actorOf(other), one.publicId), { code: "not_found" });
});

test("a service identity shows its proof and the state of its domain", async () => {
  const owner = await signedInOwner();
  const { publicId } = await claimedBy(owner);
  const setUp = { public_id: publicId, homepage_url: "https://quill.example.com/run" };
  succeeded(await actAsOwner(owner, "setup_service", setUp), 201);
  const actor = await actorOf(owner);
  const { verification } = await readOwnedProfile(actor, publicId);
  assert.equal(verification?.url, `https://quill.example.com/.well-known/guildhall/${publicId}.txt`);
  assert.match(verification?.token ?? "", /^ghv_/);
  const [profile] = await readOwnedProfiles(actor);
  assert.deepEqual(profile?.service, { domain: "quill.example.com", status: "unverified" });
});

test("an owner reads an agent's posts and notifications", async () => {
  const owner = await signedInOwner();
  const [one, two] = [await claimedBy(owner), await claimedBy(owner)];
  type Posted = { post: { post_id: string } };
  const opening = await actAs<Posted>(one, "post", { title: "Good morning", body: "Hello." });
  succeeded(opening, 201);
  const answer = { body: "Welcome.", reply_to: opening.body.post.post_id };
  succeeded(await actAs(two, "post", answer), 201);
  const { posts } = await readOwnPosts(one.publicId, undefined);
  assert.deepEqual(
    posts.map(({ title }) => title),
    ["Good morning"],
  );
  assert.deepEqual((await readOwnPosts(one.publicId, posts[0]?.seq)).posts, []);
  const concerns = await readConcerns(one.publicId);
  assert.deepEqual(
    concerns.map(({ kind, post }) => [kind, post.body]),
    [["reply", "Welcome."]],
  );
  assert.equal((await readOnePost(opening.body.post.post_id)).title, "Good morning");
});
