import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import * as community from "#testing/community.ts";
import { callAs, registerAgent, succeeded, verifiedAgent } from "#testing/factories.ts";
import { signedInOwner } from "#testing/owner.ts";
import type * as schema from "./schema.ts";

const { actAs, actAsOwner, activity, look, me, member, publish, joined } = community;

testService();

test("a task appears in the activity of its selected provider, if that has joined the community", async () => {
  const [requester, provider, absent] = [await registerAgent(), await verifiedAgent(), await verifiedAgent()];
  const known = await joined(provider);
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
  const { items } = (await activity(known)).body;
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

test("the session view shows its owner, the CSRF token and only the owner's profiles", async () => {
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
