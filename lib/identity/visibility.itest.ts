import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import { agentWithOffer, publishOffer, registerAgent, succeeded, type TestAgent } from "#testing/factories.ts";
import type { AgentAnswer, DirectoryAnswer, MatchAnswer, OffersAnswer } from "./schema.ts";

testService();

const BASE = "/api/v1/agents";
const show = (publicId: string) =>
  call<z.output<typeof AgentAnswer>>("GET", `${BASE}/show.php`, { query: { public_id: publicId } });
const offersOf = (publicId: string) =>
  call<z.output<typeof OffersAnswer>>("GET", `${BASE}/offers.php`, { query: { public_id: publicId } });

async function listedIn(agent: TestAgent): Promise<string[]> {
  const directory = await call<z.output<typeof DirectoryAnswer>>("GET", `${BASE}/directory.php`);
  const offers = await call<z.output<typeof OffersAnswer>>("GET", `${BASE}/offers.php`);
  const matches = await call<z.output<typeof MatchAnswer>>("GET", `${BASE}/match.php`, {
    query: { skill: "translation", budget_pence: 1_000 },
  });
  return [
    ...(directory.body.agents.some(({ public_id }) => public_id === agent.publicId) ? ["directory"] : []),
    ...(offers.body.offers.some(({ public_id }) => public_id === agent.publicId) ? ["offers"] : []),
    ...(matches.body.matches.some((match) => match.agent.public_id === agent.publicId) ? ["match"] : []),
  ];
}

function set(agent: TestAgent, assignment: string) {
  return pool().query(`UPDATE identities SET ${assignment} WHERE id = $1`, [agent.publicId]);
}

test("a verified public identity is in every list", async () => {
  assert.deepEqual(await listedIn(await agentWithOffer()), ["directory", "offers", "match"]);
});

test("an identity in its grace stays in every list, and is shown as such", async () => {
  const agent = await agentWithOffer();
  await set(agent, "domain_status = 'grace'");
  assert.deepEqual(await listedIn(agent), ["directory", "offers", "match"]);
  const shown = (await show(agent.publicId)).body.agent;
  assert.equal(shown.verified, true);
  assert.equal(shown.verification_status, "grace");
});

for (const status of ["unverified", "lapsed"]) {
  test(`an identity that is ${status} is in no list, can be looked up by its ID, and is shown as ${status}`, async () => {
    const agent = await agentWithOffer();
    await set(agent, `domain_status = '${status}'`);
    assert.deepEqual(await listedIn(agent), []);
    const shown = (await show(agent.publicId)).body.agent;
    assert.equal(shown.verified, false);
    assert.equal(shown.verification_status, status);
    assert.equal((await offersOf(agent.publicId)).body.offers.length, 1);
  });
}

for (const [what, assignment] of [
  ["hidden", "public_profile = false"],
  ["suspended", "state = 'suspended'"],
] as const) {
  test(`an identity that is ${what} looks like one that is not there`, async () => {
    const agent = await agentWithOffer();
    await set(agent, assignment);
    assert.deepEqual(await listedIn(agent), []);
    const missing = `agt_${"1".repeat(22)}`;
    for (const read of [show, offersOf]) {
      const [gone, never] = [await read(agent.publicId), await read(missing)];
      assert.equal(gone.status, 404);
      assert.equal(gone.error?.code, "not_found");
      assert.deepEqual(gone.error, never.error);
    }
  });
}

test("a public profile reveals nothing that only the identity and the administrator may see", async () => {
  const agent = await agentWithOffer();
  await pool().query(
    "INSERT INTO owners (id, email, name, created_at) VALUES ('owner-1', 'one@example.com', 'One', now())",
  );
  await set(agent, "risk = 'high', held_at = now(), denied_actions = '{claim}', owner_id = 'owner-1'");
  const answers = [
    await show(agent.publicId),
    await offersOf(agent.publicId),
    await call("GET", `${BASE}/directory.php`),
    await call("GET", `${BASE}/match.php`, { query: { skill: "translation", budget_pence: 1_000 } }),
  ];
  for (const answer of answers) {
    succeeded(answer);
    const text = JSON.stringify(answer.body);
    for (const word of ["risk", "held", "denied", "owner", agent.verification.token, agent.token]) {
      assert.ok(!text.includes(word), word);
    }
  }
});

test("a profile shows at most its hundred newest offers, and the list of offers shows them all", async () => {
  const agent = await agentWithOffer();
  await set(agent, "offer_quota = 200");
  await pool().query(
    `INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
     SELECT 'ofr_' || lpad(translate(n::text, '0', 'A'), 22, 'z'), $1, 'translation', 'd', 'i', 'o', 'l', n, true, now(), now()
     FROM generate_series(1, 110) n`,
    [agent.publicId],
  );
  const newest = await publishOffer(agent);
  const { offers } = (await show(agent.publicId)).body.agent;
  assert.equal(offers.length, 100);
  assert.equal(offers[0]?.offer_id, newest.offer_id);

  const query = { public_id: agent.publicId, limit: 100 };
  const first = await call<z.output<typeof OffersAnswer>>("GET", `${BASE}/offers.php`, { query });
  const rest = await call<z.output<typeof OffersAnswer>>("GET", `${BASE}/offers.php`, {
    query: { ...query, cursor: first.body.next_cursor ?? "" },
  });
  const ids = [...first.body.offers, ...rest.body.offers].map(({ offer_id }) => offer_id);
  assert.equal(new Set(ids).size, 112);
  assert.equal(rest.body.next_cursor, null);
});

test("a public_id of the wrong form is refused as input", async () => {
  await registerAgent();
  for (const publicId of ["", "agt_1", "tsk_1111111111111111111111", `agt_${"0".repeat(22)}`]) {
    assert.equal((await show(publicId)).status, 422, publicId);
  }
});
