import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { isDomainProved } from "#lib/kernel/actor.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { newId } from "#lib/kernel/ids.ts";
import { call, testService } from "#testing/client.ts";
import {
  agentWithOffer,
  callAs,
  publishOffer,
  registerAgent,
  reportHealth,
  setDomainStatus,
  succeeded,
  type TestAgent,
  verifiedAgent,
} from "#testing/factories.ts";
import { anActor } from "#testing/rows.ts";
import { fc } from "#testing/seed.ts";
import { repeatableRandom } from "../../../bench/statistics.ts";
import { markDormant } from "../heartbeat.ts";
import { eligibility as judge } from "../read.ts";
import type { EligibilityAnswer, MatchAnswer } from "../schema.ts";

const service = testService();

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

const SKILLS = ["alpha", "beta", "gamma"];
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

// `listed` and `matchable` of an offer, which triggers maintain, against what they mean.

type Row = {
  id: string;
  seq: string;
  skill: string;
  price: number;
  enabled: boolean;
  listed: boolean;
  matchable: boolean;
  agent: string;
  shown: boolean;
  state: string;
  domain: Parameters<typeof isDomainProved>[0];
  skills: string[];
  reports: boolean;
};

async function wrongFlags(): Promise<object[]> {
  const { rows } = await pool().query<Row>(
    `SELECT o.id, o.seq, o.skill, o.price_pence AS price, o.enabled, o.listed, o.matchable, i.id AS agent, i.public_profile AS shown,
       i.state, i.domain_status AS domain, i.skills, NOT coalesce(h.dormant, true) AS reports
     FROM offers o JOIN identities i ON i.id = o.identity_id LEFT JOIN health_reports h ON h.identity_id = i.id`,
  );
  return rows.flatMap((row) => {
    const listed = row.enabled && row.shown && row.state === "active" && isDomainProved(row.domain);
    const cheaper = rows.some(
      ({ agent, skill, enabled, price, seq }) =>
        agent === row.agent &&
        skill === row.skill &&
        enabled &&
        (price < row.price || (price === row.price && BigInt(seq) < BigInt(row.seq))),
    );
    const matchable = listed && row.reports && row.skills.includes(row.skill) && !cheaper;
    return row.listed === listed && row.matchable === matchable ? [] : [{ ...row, expected: { listed, matchable } }];
  });
}

type Random = () => number;
const pick = <T>(list: readonly T[], random: Random) => list[Math.floor(random() * list.length)] as T;
const someSkills = (random: Random) => SKILLS.filter(() => random() < 0.7);

// Each change of an offer locks its identity first, as the service does: otherwise two could wait for each other.
const LOCK = "SELECT FROM identities WHERE id = $1 FOR NO KEY UPDATE";
const ANY_OFFER = "SELECT id FROM offers WHERE identity_id = $1 ORDER BY md5(id || $2) LIMIT 1";

const REPORT = `INSERT INTO health_reports (identity_id, status, reported_at) VALUES ($1, 'available', clock_timestamp())
  ON CONFLICT (identity_id) DO UPDATE SET status = excluded.status, reported_at = excluded.reported_at`;

type Change = (client: pg.Client, agent: string, random: Random) => Promise<unknown>;
const insertOffers =
  (count: number): Change =>
  (client, agent, random) =>
    client.query(
      `INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
       SELECT given.id, $1, given.skill, 'd', 'i', 'o', 'l', given.price, given.enabled, now(), now()
       FROM unnest($2::text[], $3::text[], $4::int[], $5::boolean[]) AS given (id, skill, price, enabled)`,
      [
        agent,
        Array.from({ length: count }, () => newId("ofr")),
        Array.from({ length: count }, () => pick(SKILLS, random)),
        Array.from({ length: count }, () => Math.floor(random() * 4)),
        Array.from({ length: count }, () => random() < 0.7),
      ],
    );
const locked =
  (sql: string, values: (random: Random) => unknown[] = () => []): Change =>
  async (client, agent, random) => {
    await client.query(LOCK, [agent]);
    await client.query(sql, [agent, ...values(random)]);
  };
const salt = (random: Random) => String(random());

const CHANGES: Change[] = [
  // Without the lock: an offer that nobody else can see yet is in nobody's way.
  insertOffers(1),
  insertOffers(5),
  locked(`UPDATE offers SET price_pence = $3 WHERE id = (${ANY_OFFER})`, (r) => [salt(r), Math.floor(r() * 4)]),
  locked(`UPDATE offers SET enabled = NOT enabled WHERE id = (${ANY_OFFER})`, (r) => [salt(r)]),
  locked(`UPDATE offers SET skill = $3, enabled = true WHERE id = (${ANY_OFFER})`, (r) => [salt(r), pick(SKILLS, r)]),
  locked(`UPDATE offers SET description = 'other' WHERE id = (${ANY_OFFER})`, (r) => [salt(r)]),
  locked(`DELETE FROM offers WHERE id = (${ANY_OFFER})`, (r) => [salt(r)]),
  locked("UPDATE offers SET enabled = false WHERE identity_id = $1 AND skill = $2", (r) => [pick(SKILLS, r)]),
  locked("UPDATE identities SET domain_status = $2::domain_status WHERE id = $1", (r) => [
    pick(["unverified", "verified", "verified", "grace", "lapsed"], r),
  ]),
  locked("UPDATE identities SET state = $2::identity_state WHERE id = $1", (r) => [
    pick(["active", "active", "suspended"], r),
  ]),
  locked("UPDATE identities SET public_profile = $2 WHERE id = $1", (r) => [r() < 0.7]),
  locked("UPDATE identities SET skills = $2 WHERE id = $1", (r) => [someSkills(r)]),
  (client, agent) => client.query(REPORT, [agent]),
  (client, agent) => client.query("UPDATE health_reports SET dormant = true WHERE identity_id = $1", [agent]),
  async (client, agent, random) => {
    // Replacing the skills, as the service does it.
    const skills = someSkills(random);
    await client.query("UPDATE identities SET skills = $2 WHERE id = $1", [agent, skills]);
    await client.query(
      "UPDATE offers SET enabled = false WHERE identity_id = $1 AND enabled AND NOT skill = ANY ($2::text[])",
      [agent, skills],
    );
  },
];

test("the flags of offers always equal their definition, whatever changes at the same time on several connections", async () => {
  const agents = await Promise.all(
    Array.from({ length: 3 }, async () => (await registerAgent({ skills: SKILLS })).publicId),
  );
  const clients = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const client = new pg.Client({ connectionString: service.url });
      await client.connect();
      return client;
    }),
  );
  try {
    for (let round = 0; round < 25; round += 1) {
      await Promise.all(
        clients.map(async (client, index) => {
          const random = repeatableRandom(round * 100 + index);
          for (let turn = 0; turn < 4; turn += 1) {
            await client.query("BEGIN");
            await pick(CHANGES, random)(client, pick(agents, random), random);
            await client.query(random() < 0.1 ? "ROLLBACK" : "COMMIT");
          }
        }),
      );
      assert.deepEqual(await wrongFlags(), [], `after round ${round}`);
    }
    const { rows } = await pool().query("SELECT count(*)::int AS some FROM offers WHERE matchable");
    assert.ok(rows[0].some > 0, "some offers are matchable in the end");
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
});

test("an offer that is published while its identity lapses or falls silent is marked by what the identity has become", async () => {
  const { publicId } = await agentWithOffer({ skill: "alpha" });
  const [one, other] = [
    new pg.Client({ connectionString: service.url }),
    new pg.Client({ connectionString: service.url }),
  ];
  await Promise.all([one.connect(), other.connect()]);
  try {
    for (const [first, second] of [
      [
        (client: pg.Client) => client.query("UPDATE identities SET domain_status = 'lapsed' WHERE id = $1", [publicId]),
        (client: pg.Client) => insertOffers(1)(client, publicId, repeatableRandom(1)),
      ],
      [
        (client: pg.Client) => insertOffers(1)(client, publicId, repeatableRandom(2)),
        (client: pg.Client) =>
          client.query("UPDATE identities SET domain_status = 'verified' WHERE id = $1", [publicId]),
      ],
      [
        (client: pg.Client) =>
          client.query("UPDATE health_reports SET dormant = true WHERE identity_id = $1", [publicId]),
        (client: pg.Client) => insertOffers(1)(client, publicId, repeatableRandom(3)),
      ],
      [
        (client: pg.Client) => insertOffers(1)(client, publicId, repeatableRandom(4)),
        (client: pg.Client) => client.query(REPORT, [publicId]),
      ],
    ] as const) {
      await one.query("BEGIN");
      await first(one);
      const waiting = second(other);
      await one.query("COMMIT");
      await waiting;
      assert.deepEqual(await wrongFlags(), []);
    }
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
});

test("matches stop reading the offers of an agent that has not reported for an hour, until its next report", async () => {
  const skill = "glaze-mending";
  const [silent, reporting] = [await verifiedAgent({ skills: [skill] }), await verifiedAgent({ skills: [skill] })];
  for (const agent of [silent, reporting]) await publishOffer(agent, { skill });
  const matchable = async () => {
    const { rows } = await pool().query<{ agent: string }>(
      "SELECT identity_id AS agent FROM offers WHERE skill = $1 AND matchable ORDER BY seq",
      [skill],
    );
    return rows.map(({ agent }) => agent);
  };
  const found = async () => (await match({ skill, budget_pence: 100_000 })).map(({ agent }) => agent.public_id);
  const age = (agent: TestAgent, seconds: number) =>
    pool().query("UPDATE health_reports SET reported_at = now() - make_interval(secs => $2) WHERE identity_id = $1", [
      ...[agent.publicId, seconds],
    ]);
  assert.deepEqual(await matchable(), [], "an agent that never reported is not matchable");
  for (const agent of [silent, reporting]) succeeded(await reportHealth(agent, "available"));
  assert.deepEqual(await matchable(), [silent.publicId, reporting.publicId]);
  await age(silent, 3_660);
  await age(reporting, 3_540);
  await markDormant(new Date());
  assert.deepEqual(await matchable(), [reporting.publicId]);
  assert.deepEqual(await found(), []);
  // A second run changes nothing.
  await markDormant(new Date());
  assert.deepEqual(await matchable(), [reporting.publicId]);
  for (const agent of [silent, reporting]) succeeded(await reportHealth(agent, "available"));
  assert.deepEqual(await found(), [silent.publicId, reporting.publicId]);
});

test("all agents that have stopped reporting are marked, also when they fill several batches", async () => {
  const agents = await Promise.all(Array.from({ length: 3 }, async () => (await registerAgent()).publicId));
  await pool().query(
    `INSERT INTO identities (id, token_digest, name, description, endpoint, host, created_at, updated_at, verification_token)
     SELECT 'agt_silent' || n, sha256(('silent' || n)::bytea), 'Silent ' || n, '', '', 's' || n || '.example', now(), now(), 'v'
     FROM generate_series(1, 450) n`,
  );
  await pool().query(
    "INSERT INTO health_reports SELECT id, 'available', now() - interval '2 hours' FROM identities WHERE id LIKE 'agt_silent%'",
  );
  await pool().query("INSERT INTO health_reports SELECT unnest($1::text[]), 'available', now()", [agents]);
  await markDormant(new Date());
  const { rows } = await pool().query(
    "SELECT dormant, count(*)::int AS n FROM health_reports WHERE identity_id LIKE 'agt_silent%' OR identity_id = ANY ($1) GROUP BY 1 ORDER BY 1",
    [agents],
  );
  assert.deepEqual(rows, [
    { dormant: false, n: 3 },
    { dormant: true, n: 450 },
  ]);
});

test("health reports, and changes that don't affect matching, rewrite no offers", async () => {
  const agent = await agentWithOffer({ skill: "alpha" });
  await publishOffer(agent, { skill: "alpha", price_pence: 900 });
  const versions = async () =>
    (
      await pool().query("SELECT id, xmin::text, ctid::text FROM offers WHERE identity_id = $1 ORDER BY id", [
        agent.publicId,
      ])
    ).rows;
  const before = await versions();
  for (const status of ["busy", "available"] as const) succeeded(await reportHealth(agent, status));
  await setDomainStatus(agent, "grace");
  await setDomainStatus(agent, "verified");
  await pool().query(
    "UPDATE identities SET risk = 'high', held_at = now(), domain_checked_at = now(), domain_failures = 1, name = 'Other' WHERE id = $1",
    [agent.publicId],
  );
  assert.deepEqual(await versions(), before);
});
