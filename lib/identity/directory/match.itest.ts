import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, testService } from "#testing/client.ts";
import {
  agentWithOffer,
  callAs,
  publishOffer,
  registerAgent,
  reportHealth,
  type TestAgent,
} from "#testing/factories.ts";
import { anActor } from "#testing/rows.ts";
import { fc } from "#testing/seed.ts";
import { eligibility as judge } from "../read.ts";
import type { EligibilityAnswer, MatchAnswer } from "../schema.ts";

testService();

async function match(query: { skill: string; budget_pence: number; limit?: number }) {
  const answer = await call<z.output<typeof MatchAnswer>>("GET", "/api/v1/agents/match.php", { query });
  assert.equal(answer.status, 200);
  return answer.body.matches;
}

async function eligibility(agent: TestAgent, skill: string, budgetPence: number) {
  const fields = { skill, budget_pence: budgetPence };
  const answer = await callAs<z.output<typeof EligibilityAnswer>>(
    agent,
    "GET",
    "/api/v1/agents/eligibility.php",
    fields,
  );
  assert.equal(answer.status, 200);
  return answer.body;
}

test("matches come cheapest first, then by the offer that has stood longest, each with its offer and the time that is left", async () => {
  const skill = "ordering";
  const dear = await agentWithOffer({ skill, price_pence: 900 });
  const earlier = await agentWithOffer({ skill, price_pence: 300 });
  const later = await agentWithOffer({ skill, price_pence: 300 });
  await pool().query(
    "UPDATE health_reports SET reported_at = reported_at - interval '10 minutes' WHERE identity_id = $1",
    [earlier.publicId],
  );
  const matches = await match({ skill, budget_pence: 900 });
  assert.deepEqual(
    matches.map(({ agent }) => agent.public_id),
    [earlier.publicId, later.publicId, dear.publicId],
  );
  const [first, second] = matches;
  assert.deepEqual(first?.offer, earlier.offer);
  assert.equal(first?.price_pence, 300);
  assert.ok(first && first.fresh_for_seconds > 0 && first.fresh_for_seconds <= 300);
  assert.ok(second && second.fresh_for_seconds > 600 && second.fresh_for_seconds <= 900);
  assert.deepEqual(
    (await match({ skill, budget_pence: 900, limit: 1 })).map(({ agent }) => agent.public_id),
    [earlier.publicId],
  );
});

test("an agent with several offers for a skill is matched once, with the cheapest that is enabled", async () => {
  const skill = "several";
  const agent = await agentWithOffer({ skill, price_pence: 500 });
  await publishOffer(agent, { skill, price_pence: 100, enabled: false });
  const cheapest = await publishOffer(agent, { skill, price_pence: 200 });
  await publishOffer(agent, { skill, price_pence: 200 });
  const matches = await match({ skill, budget_pence: 1_000 });
  assert.deepEqual(
    matches.map(({ offer }) => offer.offer_id),
    [cheapest.offer_id],
  );
});

test("skill and budget are required, and a budget is whole pence", async () => {
  for (const query of [
    { skill: "x" },
    { budget_pence: 1 },
    { skill: "x", budget_pence: "1.5" },
    { skill: "x", budget_pence: -1 },
  ]) {
    assert.equal((await call("GET", "/api/v1/agents/match.php", { query })).status, 422, JSON.stringify(query));
  }
});

/** What the endpoint answers; asked directly, because a suspended identity may not ask it. */
function judged({ publicId: id }: TestAgent, skill: string, budgetPence: number) {
  const actor = anActor({ id });
  return judge(
    { actor, clock: systemClock, requestId: newId("req") },
    { public_id: id, skill, budget_pence: budgetPence },
  );
}

const SKILLS = ["alpha", "beta"];
const World = fc.array(
  fc.record({
    state: fc.constantFrom("active", "active", "active", "suspended"),
    held: fc.boolean(),
    risk: fc.constantFrom("low", "normal", "high"),
    domainStatus: fc.constantFrom("unverified", "verified", "verified", "verified", "grace", "lapsed"),
    publicProfile: fc.constantFrom(true, true, true, false),
    skills: fc.subarray(SKILLS, { minLength: 0 }),
    offers: fc.array(
      fc.record({
        skill: fc.constantFrom(...SKILLS),
        pricePence: fc.nat(4),
        enabled: fc.constantFrom(true, true, false),
      }),
      { maxLength: 5 },
    ),
    health: fc.option(
      fc.record({
        status: fc.constantFrom("available", "available", "available", "busy", "maintenance", "offline"),
        ageSeconds: fc.constantFrom(0, 60, 880, 910, 5_000),
      }),
      { freq: 6 },
    ),
  }),
  { minLength: 4, maxLength: 4 },
);

test("exactly the eligible agents are matched", async () => {
  const agents = await Promise.all(Array.from({ length: 4 }, () => registerAgent()));
  await fc.assert(
    fc.asyncProperty(World, fc.constantFrom(...SKILLS), fc.nat(4), async (world, skill, budgetPence) => {
      await pool().query("DELETE FROM offers");
      await pool().query("DELETE FROM health_reports");
      for (const [index, facts] of world.entries()) await become(agents[index] as TestAgent, facts);

      const matches = await match({ skill, budget_pence: budgetPence });
      assert.deepEqual(
        matches.map(({ price_pence }) => price_pence),
        matches.map(({ price_pence }) => price_pence).sort((one, other) => one - other),
      );
      for (const [index, agent] of agents.entries()) {
        const { eligible, conditions } = await judged(agent, skill, budgetPence);
        const match = matches.find(({ agent: { public_id } }) => public_id === agent.publicId);
        assert.equal(eligible, match !== undefined, JSON.stringify(conditions.filter(({ passed }) => !passed)));
        assert.equal(
          eligible,
          conditions.every(({ passed }) => passed),
        );
        if (!match) continue;
        const prices = (world[index] as Facts).offers.filter((offer) => offer.skill === skill && offer.enabled);
        assert.equal(match.price_pence, Math.min(...prices.map(({ pricePence }) => pricePence)));
        assert.equal(match.price_pence, match.offer.price_pence);
      }
    }),
    { numRuns: 150 },
  );
});

type Facts = typeof World extends fc.Arbitrary<(infer One)[]> ? One : never;

async function become({ publicId }: TestAgent, facts: Facts): Promise<void> {
  await pool().query(
    `UPDATE identities SET domain_status = $2::domain_status, public_profile = $3, skills = $4, state = $5::identity_state,
       risk = $6::risk, held_at = CASE WHEN $7 THEN now() END WHERE id = $1`,
    [publicId, facts.domainStatus, facts.publicProfile, facts.skills, facts.state, facts.risk, facts.held],
  );
  for (const { skill, pricePence, enabled } of facts.offers) {
    await pool().query(
      `INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
       VALUES ('ofr_' || translate(left(replace(gen_random_uuid()::text, '-', ''), 22), '0', 'z'), $1, $2, 'd', 'i', 'o', 'l', $3, $4, now(), now())`,
      [publicId, skill, pricePence, enabled],
    );
  }
  if (!facts.health) return;
  await pool().query("INSERT INTO health_reports VALUES ($1, $2::health_status, now() - make_interval(secs => $3))", [
    publicId,
    facts.health.status,
    facts.health.ageSeconds,
  ]);
}

test("eligibility names every obstacle at once, each with its remedy", async () => {
  const agent = await registerAgent({ public_profile: false, skills: [] });
  await reportHealth(agent, "busy");
  const { eligible, conditions } = await eligibility(agent, "alpha", 0);
  assert.equal(eligible, false);
  assert.deepEqual(
    conditions.filter(({ passed }) => !passed).map(({ condition }) => condition),
    ["verified_domain", "public_profile", "skill", "offer", "price", "availability"],
  );
  assert.ok(conditions.every(({ passed, remedy }) => passed === (remedy === null)));
});
