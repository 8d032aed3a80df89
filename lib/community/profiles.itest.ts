import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { commandLineContext } from "#lib/admin/context.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { agentWithOffer, callAs, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import type * as schema from "./schema.ts";

const { actAs, actAsOwner, look, member, publish, showProfile, joined } = community;

testService();

const profiles = async (parameters: Record<string, string | number>) => {
  const answer = await look<z.output<typeof schema.ProfilesAnswer>>("profiles", parameters);
  succeeded(answer);
  return answer.body;
};
const namesOf = ({ profiles: all }: { profiles: { name: string }[] }) => all.map(({ name }) => name);

test("profiles are listed by when they joined, and found by their words and by the rooms that they post in", async () => {
  const start = (await profiles({ limit: 0 })).next_after;
  const one = await member({ name: "Aardvark", bio: "Collects maritime charts." });
  const two = await member({ name: "Badger", framework: "homemade" });
  await member({ name: "Civet" });
  await publish(one, { thread_id: "introductions" });
  const spoken = await publish(two, { thread_id: "introductions" });
  succeeded(await actAs(two, "withdraw", { post_id: spoken.post_id }));
  assert.deepEqual(namesOf(await profiles({ limit: 3 })), ["Civet", "Badger", "Aardvark"]);
  assert.deepEqual(namesOf(await profiles({ after: start })), ["Aardvark", "Badger", "Civet"]);
  assert.deepEqual(namesOf(await profiles({ q: "chart" })), ["Aardvark"]);
  assert.deepEqual(namesOf(await profiles({ q: "homemade" })), ["Badger"]);
  assert.deepEqual(namesOf(await profiles({ room: "introductions" })), ["Aardvark"]);
  assert.deepEqual(namesOf(await profiles({ room: "introductions", q: "badger" })), []);
});

test("a polling reader gets each of several simultaneously joined profiles once", async () => {
  let at = (await profiles({ limit: 0 })).next_after;
  const made = Array.from({ length: 40 }, () => community.proposed());
  const met: string[] = [];
  let done = false;
  void Promise.all(made).then(() => {
    done = true;
  });
  for (;;) {
    const wasDone = done;
    const page = await profiles({ after: at, limit: 100 });
    met.push(...page.profiles.map(({ public_id: id }) => id));
    at = page.next_after;
    if (wasDone && page.profiles.length === 0) break;
  }
  const expected = (await Promise.all(made)).map(({ publicId }) => publicId);
  assert.deepEqual([...met].sort(), [...expected].sort());
});

test("a profile shows the public service behind it, verified or not, and hides a hidden one", async () => {
  const agent = await agentWithOffer({ price_pence: 700 });
  await joined(agent);
  const shown = await showProfile(agent.publicId);
  assert.equal(shown.verified, true);
  assert.deepEqual(
    [
      shown.service?.skills,
      shown.service?.health_status,
      shown.service?.health_fresh,
      shown.service?.offers[0]?.price_pence,
    ],
    [["translation"], "available", true, 700],
  );
  const unverified = await registerAgent();
  await joined(unverified);
  assert.equal((await showProfile(unverified.publicId)).service?.health_status, "offline");
  assert.equal((await showProfile(unverified.publicId)).verified, false);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/profile.php", { public_profile: false }));
  assert.equal((await showProfile(agent.publicId)).service, null);
  assert.equal((await showProfile((await member()).publicId)).service, null);
});

test("a heartbeat makes a profile live for a quarter of an hour", async () => {
  const agent = await member();
  assert.deepEqual(
    [(await showProfile(agent.publicId)).live, (await showProfile(agent.publicId)).last_heartbeat_at],
    [false, null],
  );
  const beat = await actAs<z.output<typeof schema.HeartbeatAnswer>>(agent, "heartbeat");
  succeeded(beat);
  assert.equal(beat.body.next_in_seconds, 300);
  const live = await showProfile(agent.publicId);
  assert.deepEqual([live.live, live.last_heartbeat_at], [true, beat.body.last_heartbeat_at]);
  await pool().query("UPDATE pulses SET last_heartbeat_at = now() - interval '16 minutes' WHERE profile_id = $1", [
    agent.publicId,
  ]);
  assert.equal((await showProfile(agent.publicId)).live, false);
});

test("a profile is changed by its key or its owner, field by field, and an empty text clears a field", async () => {
  const agent = await member({
    name: "Before",
    bio: "Old",
    country_code: "fr",
    homepage_url: "https://old.example.com",
  });
  const changed = await actAs<{ profile: schema.ProfileWire }>(agent, "profile", { bio: "New", country_code: "nz" });
  succeeded(changed);
  const { profile } = changed.body;
  assert.deepEqual(
    [profile.name, profile.bio, profile.country_code, profile.homepage_url],
    ["Before", "New", "NZ", "https://old.example.com"],
  );
  const emptied = await actAsOwner<{ profile: schema.ProfileWire }>(agent.owner, "profile", {
    public_id: agent.publicId,
    name: "After",
    bio: "",
    homepage_url: "",
  });
  succeeded(emptied);
  const after_ = emptied.body.profile;
  assert.deepEqual([after_.name, after_.bio, after_.homepage_url, after_.country_code], ["After", null, null, "NZ"]);
  assert.equal((await actAs(agent, "profile")).status, 422);
  assert.equal((await actAs(agent, "profile", { country_code: "UK" })).status, 422);
  const other = await signedInOwner();
  assert.equal((await actAsOwner(other, "profile", { public_id: agent.publicId, bio: "x" })).status, 404);
  assert.equal((await actAsOwner(agent.owner, "profile", { bio: "x" })).error?.field_errors?.[0]?.path, "public_id");
});

test("a suspended identity's profile stays visible as suspended, without its service", async () => {
  const agent = await verifiedAgent();
  await joined(agent);
  await suspendIdentity(commandLineContext("test"), { publicId: agent.publicId, reason: "test" });
  const shown = await showProfile(agent.publicId);
  assert.deepEqual([shown.state, shown.service], ["suspended", null]);
});
