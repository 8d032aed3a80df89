import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { call, testService } from "#testing/client.ts";
import { succeeded } from "#testing/factories.ts";
import type { DirectoryAnswer, OffersAnswer } from "../schema.ts";

const BASE = "/api/v1/agents";
const AGENTS = 2_500;

// More rows than a list walks through before it gathers all matches; words and skills are common, rare, or only of old.
const traits = (n: number) => ({
  id: `agt_${String(n).replaceAll("0", "A").padStart(22, "z")}`,
  offerId: `ofr_${String(n).replaceAll("0", "A").padStart(22, "z")}`,
  name: `Agent number ${n}`,
  description: `Common work${n % 97 === 0 ? ", and seldom sonnets" : ""}${n < 300 ? ", as of old" : ""}.`,
  skills: n % 3 === 0 ? ["translation"] : n % 211 === 0 ? ["sonnets", "summary"] : ["summary"],
  listed: n % 7 !== 0,
  available: n % 5 === 0,
  pricePence: (n * 37) % 1_000,
});
const ALL = Array.from({ length: AGENTS }, (_, i) => traits(i + 1));

testService({}, async () => {
  const json = JSON.stringify(ALL);
  await pool().query(
    `INSERT INTO identities (id, token_digest, name, description, endpoint, host, skills, protocols, created_at, updated_at,
       verification_token, domain_status, verified_at, denied_actions)
     SELECT id, id::bytea, name, description, 'https://' || n || '.example.com/', n || '.example.com', skills, '{}', now(), now(),
       'ghv_', CASE WHEN listed THEN 'verified' ELSE 'unverified' END::domain_status, now(), '{}'
     FROM rows FROM (jsonb_to_recordset($1::jsonb) AS (id text, name text, description text, skills text[], listed boolean))
       WITH ORDINALITY AS given (id, name, description, skills, listed, n) ORDER BY n`,
    [json],
  );
  await pool().query(
    `INSERT INTO health_reports SELECT id, CASE WHEN available THEN 'available' ELSE 'busy' END::health_status, now()
     FROM jsonb_to_recordset($1::jsonb) AS given (id text, available boolean)`,
    [json],
  );
  await pool().query(
    `INSERT INTO offers (id, identity_id, skill, description, input, output, limits, price_pence, enabled, created_at, updated_at)
     SELECT "offerId", id, skills[1], description, 'text', 'text', 'none', "pricePence", true, now(), now()
     FROM rows FROM (jsonb_to_recordset($1::jsonb) AS (id text, "offerId" text, description text, skills text[], "pricePence" int))
       WITH ORDINALITY AS given (id, "offerId", description, skills, "pricePence", n) ORDER BY n`,
    [json],
  );
});

type Query = Record<string, string | number>;
type Page = { ids: string[]; next: string | null };

async function agents(query: Query): Promise<Page> {
  const answer = await call<z.output<typeof DirectoryAnswer>>("GET", `${BASE}/directory.php`, { query });
  succeeded(answer);
  return { ids: answer.body.agents.map(({ public_id }) => public_id), next: answer.body.next_cursor };
}

async function offers(query: Query): Promise<Page> {
  const answer = await call<z.output<typeof OffersAnswer>>("GET", `${BASE}/offers.php`, { query });
  succeeded(answer);
  return { ids: answer.body.offers.map(({ offer_id }) => offer_id), next: answer.body.next_cursor };
}

async function walk(read: (query: Query) => Promise<Page>, query: Query): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { ids, next }: Page = await read(cursor === null ? query : { ...query, cursor });
    assert.ok(ids.length === query.limit || next === null, "only the last page is short");
    seen.push(...ids);
    cursor = next;
  } while (cursor !== null);
  return seen;
}

type Trait = (typeof ALL)[number];
const newestFirst = (id: "id" | "offerId", condition: (agent: Trait) => boolean) =>
  ALL.filter((agent) => agent.listed && condition(agent))
    .map((agent) => agent[id])
    .reverse();

const sonnets = ({ description, skills }: Trait) => description.includes("sonnets") || skills.includes("sonnets");

const DIRECTORIES: [string, Query, (agent: Trait) => boolean][] = [
  ["without a filter", {}, () => true],
  ["for a common word", { q: "common" }, () => true],
  ["for a rare word", { q: "sonnet" }, sonnets],
  ["for a word that only old entries have", { q: "old" }, ({ description }) => description.includes("of old")],
  ["for a common skill", { skill: "translation" }, ({ skills }) => skills.includes("translation")],
  ["for a rare skill", { skill: "sonnets" }, ({ skills }) => skills.includes("sonnets")],
  ["for those available", { available: "1" }, ({ available }) => available],
  [
    "for everything at once",
    { q: "seldom", skill: "summary", available: "1" },
    ({ description, skills, available }) => description.includes("seldom") && skills.includes("summary") && available,
  ],
  ["for a word that no agent has", { q: "zeppelin" }, () => false],
];
for (const [what, query, condition] of DIRECTORIES) {
  test(`the directory ${what} has every match once, newest first, over all pages`, async () => {
    assert.deepEqual(await walk(agents, { ...query, limit: 100 }), newestFirst("id", condition));
  });
}

const OFFER_LISTS: [string, Query, (agent: Trait) => boolean][] = [
  ["without a filter", {}, () => true],
  ["for a rare word", { q: "sonnets" }, ({ description, skills }) => /sonnets/.test(`${description} ${skills[0]}`)],
  ["for a skill", { skill: "translation" }, ({ skills }) => skills[0] === "translation"],
  ["up to a price", { max_price_pence: 3 }, ({ pricePence }) => pricePence <= 3],
  [
    "for a word, a skill and a price",
    { q: "common", skill: "summary", max_price_pence: 200 },
    ({ skills, pricePence }) => skills[0] === "summary" && pricePence <= 200,
  ],
];
for (const [what, query, condition] of OFFER_LISTS) {
  test(`the list of offers ${what} has every match once, newest first, over all pages`, async () => {
    assert.deepEqual(await walk(offers, { ...query, limit: 100 }), newestFirst("offerId", condition));
  });
}

test("pages of one entry lead through the list as well", async () => {
  assert.deepEqual(
    await walk(agents, { skill: "sonnets", limit: 1 }),
    newestFirst("id", (a) => a.skills.includes("sonnets")),
  );
});

test("a page has 20 entries by default, at most 100, and none for a limit of 0", async () => {
  assert.equal((await agents({})).ids.length, 20);
  assert.equal((await agents({ limit: 7 })).ids.length, 7);
  assert.equal((await agents({ limit: 5_000 })).ids.length, 100);
  const { next } = await agents({ limit: 5 });
  assert.deepEqual(await agents({ limit: 0, cursor: next ?? "" }), { ids: [], next });
});

test("a search is for all of its words, inflected as they may be, domains and names among them, and operators are words too", async () => {
  const found = async (q: string) => (await agents({ q, limit: 100 })).ids;
  assert.deepEqual(await found("12.example.com"), [traits(12).id]);
  assert.deepEqual(await found('"agent number 13"'), [traits(13).id]);
  assert.equal((await found("working")).length, 100);
  assert.deepEqual(
    await found("sonnets -seldom"),
    newestFirst("id", (a) => sonnets(a) && a.description.includes("seldom")),
  );
});

test("what cannot be a parameter's value is refused, and unknown parameters are ignored", async () => {
  const wrong: Query[] = [
    { limit: -1 },
    { limit: "1.5" },
    { limit: "many" },
    { cursor: "x" },
    { cursor: "" },
    { skill: "Not a skill" },
    { available: "yes" },
    { q: "" },
    { q: "x".repeat(201) },
    { q: "a\u0000b" },
  ];
  for (const query of wrong) {
    const { status } = await call("GET", `${BASE}/directory.php`, { query });
    assert.equal(status, 422, JSON.stringify(query));
  }
  for (const max_price_pence of ["-1", "1.5", "100000000", "free"]) {
    assert.equal(
      (await call("GET", `${BASE}/offers.php`, { query: { max_price_pence } })).status,
      422,
      max_price_pence,
    );
  }
  assert.equal((await agents({ whatever: "1" })).ids.length, 20);
});

test("text that looks like a query language is only text", async () => {
  for (const q of ["'; DROP TABLE identities; --", "a & | ! ( )", "\\", "%", ":*", "<->", '"', "-", "or or or"]) {
    assert.equal((await call("GET", `${BASE}/directory.php`, { query: { q } })).status, 200, q);
  }
});
