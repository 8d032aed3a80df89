import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { z } from "zod";
import { commandLineContext } from "#lib/admin/context.ts";
import { suspendIdentity } from "#lib/admin/suspension.ts";
import { pool } from "#lib/db/client.ts";
import { startTestService } from "#lib/testing/client.ts";
import * as community from "#lib/testing/community.ts";
import { agentWithOffer, callAs, registerAgent, succeeded, verifiedAgent } from "#lib/testing/factories.ts";
import { signedInOwner } from "#lib/testing/owner.ts";
import type * as schema from "./schema.ts";

const { actAs, actAsOwner, activity, CONSENTED, look, me, member, publish, showProfile } = community;

let service: Awaited<ReturnType<typeof startTestService>>;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const join = async (agent: { publicId: string; token: string }) => {
  const answer = await callAs<z.output<typeof schema.JoinAnswer>>(agent as never, "POST", community.COMMUNITY, {
    action: "join",
    ...CONSENTED,
  });
  succeeded(answer, 201);
  return { publicId: agent.publicId, key: answer.body.community_key };
};
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

test("profiles joined at the same moment are met once each by a reader that polls", async () => {
  let at = (await profiles({ limit: 0 })).next_after;
  const made = Array.from({ length: 40 }, () => community.proposed());
  const met: string[] = [];
  let done = false;
  Promise.all(made).then(() => {
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
  await join(agent);
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
  await join(unverified);
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

test("a profile is changed by its key or its owner, field by field, and an empty text takes a field back", async () => {
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

type Network = z.output<typeof schema.NetworkAnswer>;

test("the network says who answers whom, heaviest first, and limit counts its edges", async () => {
  const [one, two, three] = [
    await member({ name: "One" }),
    await member({ name: "Two" }),
    await member({ name: "Three" }),
  ];
  const opening = await publish(one);
  await publish(one, { reply_to: opening.post_id });
  for (let time = 0; time < 3; time += 1) await publish(two, { reply_to: opening.post_id });
  const last = await publish(three, { reply_to: opening.post_id });
  await publish(one, { reply_to: last.post_id });
  await publish(one, { reply_to: last.post_id });
  const own = await look<Network>("network", { agent: one.publicId });
  assert.deepEqual(
    own.body.edges.map(({ from, to, replies }) => [from, to, replies]),
    [
      [two.publicId, one.publicId, 3],
      [one.publicId, three.publicId, 2],
      [three.publicId, one.publicId, 1],
    ],
  );
  assert.equal(own.body.edges[2]?.last_at, last.created_at);
  assert.deepEqual(own.body.nodes.map(({ name, posts }) => [name, posts]).sort(), [
    ["One", 4],
    ["Three", 1],
    ["Two", 3],
  ]);
  const heaviest = await look<Network>("network", { limit: 1 });
  assert.deepEqual(
    heaviest.body.edges.map(({ replies }) => replies),
    [3],
  );
  assert.equal(heaviest.body.nodes.length, 2);
  assert.deepEqual((await look<Network>("network", { limit: 0 })).body.nodes, []);

  const view = await look<z.output<typeof schema.ProfileViewAnswer>>("profile", { id: one.publicId });
  assert.deepEqual(
    view.body.replies_with,
    [
      { public_id: two.publicId, name: "Two", replies: 3 },
      { public_id: three.publicId, name: "Three", replies: 3 },
    ].sort((a, b) => (a.public_id < b.public_id ? -1 : 1)),
  );
  assert.equal(view.body.recent_posts.length, 4);
});

test("a task for my service appears in my activity, and one for nobody, or for one who has not joined, in nobody's", async () => {
  const [requester, provider, absent] = [await registerAgent(), await verifiedAgent(), await verifiedAgent()];
  const joined = await join(provider);
  const create = (fields: object) =>
    callAs<{ task: { task_id: string } }>(requester, "POST", "/api/v1/jobs/create.php", {
      brief: "Translate this.",
      budget_pence: 500,
      client_request_id: crypto.randomUUID(),
      ...fields,
    });
  const chosen = { provider_public_id: provider.publicId, client_request_id: "chosen", visibility: "unlisted" };
  const task = await create(chosen);
  succeeded(task, 201);
  succeeded(await create(chosen), 201);
  succeeded(await create({ provider_public_id: absent.publicId }), 201);
  succeeded(await create({}), 201);
  const { items } = (await activity(joined)).body;
  assert.deepEqual(
    items.map(({ kind, task: about, post }) => [kind, about?.task_id, post]),
    [["task_selected", task.body.task.task_id, undefined]],
  );
  const { rows } = await pool().query("SELECT count(*)::int AS n FROM activities WHERE kind = 'task_selected'");
  assert.equal(rows[0].n, 1);
});

test("activity is read newest first, back and forth, and polled without missing anything", async () => {
  const [one, other] = [await member(), await member()];
  const start = (await activity(one)).body;
  assert.deepEqual(start.items, []);
  for (let time = 0; time < 5; time += 1) await publish(other, { body: `@${one.publicId} ${time}` });
  const texts = (items: { post?: { body: string | null } | undefined }[]) =>
    items.map(({ post }) => post?.body?.at(-1)).join("");
  const newest = (await activity(one, { limit: 2 })).body;
  assert.equal(texts(newest.items), "43");
  const older = (await activity(one, { limit: 2, before: newest.next_before ?? 0 })).body;
  assert.equal(texts(older.items), "21");
  const polled = (await activity(one, { after: start.next_after, limit: 3 })).body;
  assert.equal(texts(polled.items), "012");
  assert.equal(texts((await activity(one, { after: polled.next_after })).body.items), "34");
});

test("me names the next steps, and they are done one by one", async () => {
  const agent = await member();
  const open = async () => (await me(agent)).body.readiness.filter(({ done }) => !done).map(({ step }) => step);
  assert.deepEqual(await open(), ["describe", "heartbeat", "first_post", "service", "verified"]);
  succeeded(await actAs(agent, "profile", { bio: "Now described." }));
  succeeded(await actAs(agent, "heartbeat"));
  await publish(agent);
  assert.deepEqual(await open(), ["service", "verified"]);
  const set = await actAsOwner<{ management_token: string }>(agent.owner, "setup_service", {
    public_id: agent.publicId,
    homepage_url: "https://agent.example.com/",
  });
  const token = set.body.management_token;
  succeeded(await callAs({ publicId: agent.publicId, token } as never, "POST", "/api/v1/agents/verify.php"));
  assert.deepEqual(await open(), []);
});

test("a key's use is noted, at most once a minute", async () => {
  const agent = await member();
  const first = (await me(agent)).body.key.last_used_at;
  assert.ok(first);
  await actAs(agent, "heartbeat");
  assert.equal((await me(agent)).body.key.last_used_at, first);
});

test("the session view shows its owner, the token for writes and the owner's profiles alone", async () => {
  const owner = await signedInOwner({ name: "Ada" });
  const mine = [await member({}, owner), await member({}, owner)];
  await member();
  const answer = await look<z.output<typeof schema.SessionAnswer>>(
    "session",
    {},
    { headers: { Cookie: owner.cookie } },
  );
  succeeded(answer);
  assert.deepEqual(answer.body.owner, { name: "Ada", role: "owner" });
  assert.equal(answer.body.csrf_token, owner.csrfToken);
  assert.deepEqual(
    answer.body.profiles.map(({ public_id: id }) => id),
    mine.map(({ publicId }) => publicId),
  );
  assert.equal(answer.headers.get("Cache-Control"), "no-store");
});

test("a suspended identity's profile stays visible as suspended, without its service", async () => {
  const agent = await verifiedAgent();
  await join(agent);
  await suspendIdentity(commandLineContext("test"), { publicId: agent.publicId, reason: "test" });
  const shown = await showProfile(agent.publicId);
  assert.deepEqual([shown.state, shown.service], ["suspended", null]);
});
