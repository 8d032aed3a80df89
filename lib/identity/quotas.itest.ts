import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { setQuota } from "#lib/admin/restrictions.ts";
import { pool } from "#lib/db/client.ts";
import { admin } from "#testing/administrator.ts";
import { type Answer, outcome, testService } from "#testing/client.ts";
import {
  callAs,
  publishOffer,
  registerAgent,
  setDomainStatus,
  succeeded,
  type TestAgent,
  type TestOffer,
  verifiedAgent,
} from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { postTask } from "#testing/workflow.ts";
import { QUOTAS } from "./quotas.ts";
import type { MeAnswer, OfferAnswer } from "./schema.ts";

testService();

const FIELDS = {
  skill: "translation",
  description: "d",
  input: "i",
  output: "o",
  limits: "l",
  price_pence: 1,
  enabled: true,
};
const put = (agent: TestAgent, fields: Partial<TestOffer> = {}) =>
  callAs<z.output<typeof OfferAnswer>>(agent, "POST", "/api/v1/agents/offers.php", { ...FIELDS, ...fields });

/** Publishes as many offers, one after the other. */
async function offers(agent: TestAgent, count: number, fields: Partial<TestOffer> = {}): Promise<TestOffer[]> {
  const made: TestOffer[] = [];
  for (let turn = 0; turn < count; turn += 1) made.push(await publishOffer(agent, fields));
  return made;
}

async function me(agent: TestAgent) {
  const answer = await callAs<z.output<typeof MeAnswer>>(agent, "GET", "/api/v1/agents/me.php");
  succeeded(answer);
  return answer.body.quotas;
}

async function counted(agent: TestAgent) {
  const { rows } = await pool().query<{ stored: number; enabled: number }>(
    "SELECT count(*)::int AS stored, (count(*) FILTER (WHERE enabled))::int AS enabled FROM offers WHERE identity_id = $1",
    [agent.publicId],
  );
  return rows[0] as { stored: number; enabled: number };
}

function refused({ status, error }: Answer<unknown>, reason: string, ...words: RegExp[]) {
  assert.equal(outcome({ status, error }), "409 quota_exceeded");
  assert.deepEqual([error?.reason, error?.retryable], [reason, false]);
  for (const word of words) assert.match(error?.message ?? "", word);
}

test("an unverified identity may have 5 enabled offers, and the error says that verifying the domain raises that to 50", async () => {
  const agent = await registerAgent();
  await offers(agent, 5);
  await changesNothing("an offer beyond the quota", async () =>
    refused(await put(agent), "offers", /\b5 enabled offers\b/, /Verify the domain .* 50\b/),
  );
  assert.deepEqual((await me(agent)).offers, { used: 5, limit: 5 });
});

test("verifying the domain raises the quota at once, to 50, and then only the administrator can raise it", async () => {
  const agent = await registerAgent();
  await offers(agent, 5);
  refused(await put(agent), "offers");
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  await offers(agent, 45);
  refused(await put(agent), "offers", /\b50 enabled offers\b/, /Ask the administrator/);
  assert.deepEqual((await me(agent)).offers, { used: 50, limit: 50 });
});

test("a domain in grace counts as verified; a lapsed one counts as unverified, but removes no offers", async () => {
  const agent = await verifiedAgent();
  const [first] = await offers(agent, 6);
  await setDomainStatus(agent, "grace");
  succeeded(await put(agent), 201);
  await setDomainStatus(agent, "lapsed");
  refused(await put(agent), "offers", /\b5 enabled offers\b/, /Verify the domain/);
  assert.deepEqual(await counted(agent), { stored: 7, enabled: 7 });
  succeeded(await put(agent, { offer_id: first?.offer_id as string, price_pence: 9 }));
  assert.deepEqual((await me(agent)).offers, { used: 7, limit: 5 });
});

test("enabling a disabled offer needs room; rewriting an enabled one and disabling one never do", async () => {
  const agent = await registerAgent();
  const [first] = await offers(agent, 5);
  const [disabled] = await offers(agent, 1, { enabled: false });
  const offer_id = disabled?.offer_id as string;
  refused(await put(agent, { offer_id }), "offers");
  succeeded(await put(agent, { offer_id, enabled: false, price_pence: 7 }));
  succeeded(await put(agent, { offer_id: first?.offer_id as string, price_pence: 7 }));
  succeeded(await put(agent, { offer_id: first?.offer_id as string, enabled: false }));
  succeeded(await put(agent, { offer_id }));
  assert.deepEqual(await counted(agent), { stored: 6, enabled: 5 });
  assert.equal(outcome(await put(agent, { offer_id: `ofr_${"1".repeat(22)}` })), "404 not_found");
});

test("disabled offers are stored up to ten times the quota, and can be reused beyond that", async () => {
  const agent = await registerAgent();
  await pool().query(
    `INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
     SELECT 'ofr_' || lpad(translate(n::text, '0', 'A'), 22, 'y'), $1, 'translation', 'd', 'i', 'o', 'l', n, false, now(), now()
     FROM generate_series(1, 49) n`,
    [agent.publicId],
  );
  const last = await publishOffer(agent, { enabled: false });
  for (const enabled of [true, false]) {
    refused(await put(agent, { enabled }), "stored_offers", /\b50 stored offers\b/, /Verify the domain .* 500\b/);
  }
  succeeded(await put(agent, { offer_id: last.offer_id }));
  assert.deepEqual(await counted(agent), { stored: 50, enabled: 1 });
});

test("a quota that the administrator sets counts whether the domain is verified or not, and can be lower", async () => {
  const agent = await registerAgent();
  await setQuota(admin, { publicId: agent.publicId, quota: "offers", limit: 7, reason: "Known to us." });
  await offers(agent, 7);
  refused(await put(agent), "offers", /\b7 enabled offers\b/, /Ask the administrator/);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  refused(await put(agent), "offers", /\b7 enabled offers\b/, /Ask the administrator/);
  await setQuota(admin, { publicId: agent.publicId, quota: "offers", limit: 2, reason: "Too many." });
  assert.deepEqual((await me(agent)).offers, { used: 7, limit: 2 });
  assert.deepEqual((await me(agent)).tasks, { used: 0, limit: QUOTAS.tasks.proved });
});

test("of a hundred offers published at once with room for one, one is made", async () => {
  const agent = await verifiedAgent();
  await offers(agent, 49);
  const answers = await Promise.all(Array.from({ length: 100 }, () => put(agent)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ error }) => error?.code === "quota_exceeded").length, 99);
  assert.equal((await counted(agent)).enabled, 50);
});

test("of many disabled offers enabled at once, as many are as there is room for", async () => {
  const agent = await registerAgent();
  const disabled = await offers(agent, 20, { enabled: false });
  await Promise.all(disabled.map(({ offer_id }) => put(agent, { offer_id })));
  assert.deepEqual(await counted(agent), { stored: 20, enabled: 5 });
});

test("an identity reads how many open tasks it has, and how many it may have", async () => {
  const agent = await registerAgent();
  await postTask(agent);
  await postTask(agent);
  assert.deepEqual((await me(agent)).tasks, { used: 2, limit: 20 });
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  assert.deepEqual((await me(agent)).tasks, { used: 2, limit: 500 });
});
