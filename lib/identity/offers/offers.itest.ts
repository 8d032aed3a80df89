import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { setQuota } from "#lib/admin/restrictions.ts";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { admin } from "#testing/administrator.ts";
import { type Answer, call, outcome, testService } from "#testing/client.ts";
import {
  agentWithOffer,
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
import { QUOTAS } from "../quotas.ts";
import type {
  AgentAnswer,
  DirectoryAnswer,
  MatchAnswer,
  MeAnswer,
  MyOffersAnswer,
  OfferAnswer,
  SkillsAnswer,
} from "../schema.ts";
import { listCheapestOffers, listLiveOffers, readOfferedSkills } from "./list-offers.ts";

const OFFERS = "/api/v1/agents/offers.php";
testService();

const fields = {
  skill: "translation",
  description: "Translates a text.",
  input: "A text.",
  output: "A text.",
  limits: "None.",
  price_pence: 250,
  enabled: true,
};
const post = (agent: TestAgent, overrides: object = {}) =>
  callAs<z.output<typeof OfferAnswer>>(agent, "POST", OFFERS, { ...fields, ...overrides });
const replaceSkills = (agent: TestAgent, skills: string[]) =>
  callAs<z.output<typeof SkillsAnswer>>(agent, "POST", "/api/v1/agents/skills.php", { skills });

async function shownOffers(agent: TestAgent): Promise<string[]> {
  const query = { public_id: agent.publicId };
  const { body } = await call<z.output<typeof AgentAnswer>>("GET", "/api/v1/agents/show.php", { query });
  return body.agent.offers.map(({ offer_id }) => offer_id);
}

test("a new offer is made, and its rewriting keeps its ID and its beginning", async () => {
  const agent = await registerAgent();
  const made = await post(agent);
  assert.equal(made.status, 201);
  assert.equal(made.body.offer.public_id, agent.publicId);
  assert.equal(made.body.offer.currency, "GBP");
  const { offer_id, created_at } = made.body.offer;
  const rewritten = await post(agent, { offer_id, price_pence: 0, enabled: false, limits: "One page." });
  assert.equal(rewritten.status, 200);
  assert.deepEqual(
    { ...rewritten.body.offer, updated_at: "" },
    {
      ...made.body.offer,
      price_pence: 0,
      enabled: false,
      limits: "One page.",
      revision: 2,
      created_at,
      updated_at: "",
    },
  );
});

test("an identity reads all its own offers, disabled ones too, also while its profile is hidden", async () => {
  const [agent, other] = [await registerAgent({ public_profile: false }), await registerAgent()];
  const made: string[] = [];
  for (const enabled of [true, false, true]) made.unshift((await post(agent, { enabled })).body.offer.offer_id);
  await post(other);
  const read = async (query: Record<string, unknown>) =>
    (await callAs<z.output<typeof MyOffersAnswer>>(agent, "GET", "/api/v1/agents/my_offers.php", query)).body;
  const first = await read({ limit: 2 });
  assert.ok(first.next_cursor);
  const second = await read({ limit: 2, cursor: first.next_cursor });
  assert.deepEqual(
    [...first.offers, ...second.offers].map(({ offer_id }) => offer_id),
    made,
  );
  assert.equal(second.next_cursor, null);
});

test("another identity's offer and an unknown one are refused alike", async () => {
  const [owner, other] = [await registerAgent(), await registerAgent()];
  const { offer_id } = await publishOffer(owner);
  const missing = await post(other, { offer_id: `ofr_${"1".repeat(22)}` });
  const foreign = await post(other, { offer_id, price_pence: 1 });
  for (const { status, error } of [missing, foreign]) {
    assert.equal(status, 404);
    assert.equal(error?.code, "not_found");
  }
  assert.equal(missing.error?.message, foreign.error?.message);
  const { rows } = await pool().query("SELECT price_pence FROM offers WHERE id = $1", [offer_id]);
  assert.equal(rows[0].price_pence, 500);
});

test("an offer is for one of the identity's skills", async () => {
  const { status, error } = await post(await registerAgent(), { skill: "cooking" });
  assert.equal(status, 422);
  assert.deepEqual(
    error?.field_errors?.map(({ path }) => path),
    ["skill"],
  );
});

test("prices are whole pence from nothing to the largest card payment", async () => {
  const agent = await registerAgent();
  for (const price of [0, 99_999_999]) succeeded(await post(agent, { price_pence: price }), 201);
  for (const price of [-1, 0.5, 100_000_000, "5", null, 1e21]) {
    assert.equal((await post(agent, { price_pence: price })).status, 422, String(price));
  }
});

test("every field but the ID is required, within its size, and no other is taken", async () => {
  const agent = await registerAgent();
  for (const name of Object.keys(fields)) {
    assert.equal((await post(agent, { [name]: undefined })).status, 422, name);
  }
  for (const [name, size] of Object.entries({ description: 2_000, input: 1_000, output: 1_000, limits: 1_000 })) {
    succeeded(await post(agent, { [name]: "x".repeat(size) }), 201);
    assert.equal((await post(agent, { [name]: "x".repeat(size + 1) })).status, 422, name);
  }
  assert.equal((await post(agent, { currency: "EUR" })).status, 422);
});

test("a disabled offer is shown to no one else", async () => {
  const agent = await agentWithOffer();
  const hidden = await publishOffer(agent, { enabled: false });
  assert.deepEqual(await shownOffers(agent), [agent.offer.offer_id]);
  const { body } = await call("GET", OFFERS, { query: { public_id: agent.publicId } });
  assert.ok(!JSON.stringify(body).includes(hidden.offer_id));
});

test("removing a skill disables its offers and names them; putting it back enables nothing", async () => {
  const agent = await agentWithOffer({}, { skills: ["translation", "summary"] });
  const kept = await publishOffer(agent, { skill: "summary" });
  await publishOffer(agent, { enabled: false });

  const removed = (await replaceSkills(agent, ["summary", "cooking", "summary"])).body;
  assert.deepEqual(removed.identity.skills, ["summary", "cooking"]);
  assert.deepEqual(removed.disabled_offers, [agent.offer.offer_id]);
  assert.deepEqual(await shownOffers(agent), [kept.offer_id]);

  const restored = (await replaceSkills(agent, ["summary", "translation"])).body;
  assert.deepEqual(restored.disabled_offers, []);
  assert.deepEqual(await shownOffers(agent), [kept.offer_id]);
});

test("no offer slips in for a skill that is removed at the same moment", async () => {
  const agent = await verifiedAgent({ skills: ["translation", "summary"] });
  for (let round = 0; round < 15; round++) {
    await replaceSkills(agent, ["translation", "summary"]);
    await Promise.all([post(agent), replaceSkills(agent, ["summary"]), post(agent), post(agent, { skill: "summary" })]);
    const { rows } = await pool().query(
      `SELECT o.id FROM offers o JOIN identities i ON i.id = o.identity_id
       WHERE i.id = $1 AND o.enabled AND NOT o.skill = ANY (i.skills)`,
      [agent.publicId],
    );
    assert.deepEqual(rows, []);
  }
});

test("offers by price come cheapest first, page by page; those of live agents are found; skills are counted", async () => {
  const skill = "bell-founding";
  const seller = await agentWithOffer({ skill, price_pence: 700 });
  const other = await verifiedAgent({ skills: [skill] });
  const cheap = [
    await publishOffer(other, { skill, price_pence: 100 }),
    await publishOffer(other, { skill, price_pence: 100 }),
  ];
  await publishOffer(await registerAgent({ skills: [skill] }), { skill, price_pence: 1 });
  const walked: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCheapestOffers({ skill, cursor, limit: 1 });
    walked.push(page.offers[0]?.offer_id);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  assert.deepEqual(
    walked,
    [...cheap, seller.offer].map((offer) => offer.offer_id),
  );
  const live = await listLiveOffers(visitorContext(), { skill });
  assert.deepEqual(
    live.map((offer) => offer.offer_id),
    [seller.offer.offer_id],
  );
  assert.deepEqual(await listLiveOffers(visitorContext(), { skill, max_price_pence: 699 }), []);
  forgetCachedReads();
  assert.ok((await readOfferedSkills()).includes(skill));
});

const SCHEMA = {
  type: "object",
  required: ["text"],
  properties: { text: { type: "string", pattern: "^ *x" }, tags: { type: "array", items: { type: "string" } } },
};
const FORM = {
  input_schema: SCHEMA,
  result_schema: { type: "object", required: ["words"], properties: { words: { type: "integer" } } },
  example_input: { text: " x\r\n " },
  example_result: { words: 3 },
  turnaround_hours: 24,
  review_days: 3,
  data_terms: "Deleted after a week.",
  acceptance_criteria: ["It is right.", { kind: "max_bytes", value: 500 }],
};

test("an offer says what its orders take, give and agree, to everyone and as it was sent", async () => {
  const agent = await agentWithOffer();
  const { offer } = (await post(agent, FORM)).body;
  assert.equal(offer.revision, 1);
  for (const [name, value] of Object.entries(FORM)) assert.deepEqual(offer[name as keyof typeof offer], value, name);
  const shown = await call<z.output<typeof AgentAnswer>>("GET", "/api/v1/agents/show.php", {
    query: { public_id: agent.publicId },
  });
  const { order, ...first } = shown.body.agent.offers[0] ?? {};
  assert.deepEqual(first, offer);
  assert.match(order?.curl ?? "", /jobs\/order\.php .*"input":{"text":" x\\r\\n "},"price_pence":250,"revision":1}'$/);
  assert.match(order?.sdk ?? "", /^const { task } = await guild\.jobs\.order\({"offer_id":"ofr_/);
});

test("a change makes a new revision; switching an offer off and on, and sending it back as it was read, do not", async () => {
  const agent = await registerAgent();
  const { offer } = (await post(agent, FORM)).body;
  const read = {
    ...fields,
    ...Object.fromEntries(Object.keys(FORM).map((name) => [name, offer[name as keyof typeof offer]])),
  };
  const save = async (change: object) =>
    (await post(agent, { ...read, offer_id: offer.offer_id, ...change })).body.offer;
  assert.equal((await save({})).revision, 1);
  assert.equal((await save({ enabled: false })).revision, 1);
  assert.equal((await save({ example_input: { text: "x", tags: [] } })).revision, 2);
  const plain = await save({ ...Object.fromEntries(Object.keys(FORM).map((name) => [name, null])) });
  assert.deepEqual([plain.revision, plain.input_schema, plain.acceptance_criteria], [3, null, []]);
});

test("a field that an order could not use is refused where it is wrong", async () => {
  const agent = await registerAgent();
  const json = (bytes: number) => ({ text: "x".repeat(bytes) });
  const schemas = Array.from({ length: 5 }, () => ({ kind: "json_schema", schema: {} }));
  const ofFiles = schemas.map(({ schema }, n) => ({ kind: "file_json_schema", name: `${n}`, schema }));
  const refused: [object, string, RegExp][] = [
    [{ example_input: { tags: [] } }, "example_input.text", /is required/],
    [{ example_input: { text: "x", tags: ["a", 1] } }, "example_input.tags.1", /must be of type string/],
    [{ example_result: { words: "3" } }, "example_result.words", /must be of type integer/],
    [{ input_schema: { type: "text" } }, "input_schema", /\/type must be null/],
    [{ input_schema: true }, "input_schema", /as an object/],
    [{ result_schema: { $ref: "#" } }, "result_schema", /must not refer to itself/],
    [{ input_schema: { title: "a".repeat(17_000) } }, "input_schema", /16384 bytes/],
    [{ input_schema: null, example_input: json(16_384) }, "example_input", /16384 bytes/],
    [{ input_schema: null, example_input: { "a\u0001": 1 } }, "example_input", /control characters/],
    [{ turnaround_hours: 721 }, "turnaround_hours", /at most 720/],
    [{ review_days: 31 }, "review_days", /at most 30/],
    [
      { acceptance_criteria: schemas },
      "acceptance_criteria",
      /at most 4 entries of kind json_schema or file_json_schema/,
    ],
    [
      { acceptance_criteria: ofFiles },
      "acceptance_criteria",
      /at most 4 entries of kind json_schema or file_json_schema/,
    ],
    [{ acceptance_criteria: Array(20).fill("A") }, "acceptance_criteria", /at most 19 entries/],
  ];
  for (const [fields, path, message] of refused) {
    const { status, error } = await post(agent, { ...FORM, ...fields });
    const [first] = error?.field_errors ?? [];
    assert.deepEqual([status, first?.path], [422, path], JSON.stringify(fields).slice(0, 80));
    assert.match(first?.message ?? "", message);
  }
});

test("the schemas of one identity's offers take a bounded space in all", async () => {
  const agent = await agentWithOffer();
  const example_input = { text: "x".repeat(16_000) };
  for (let made = 0; made < 16; made += 1) assert.equal((await post(agent, { example_input })).status, 201);
  const { error, status } = await post(agent, { example_input: { text: "x".repeat(8_000) } });
  assert.deepEqual([status, error?.code, error?.reason], [409, "quota_exceeded", "offer_schemas"]);
  assert.equal((await post(agent)).status, 201);
});

test("has_schema=1 finds the cheapest offer that has an input schema, and agents with such an offer", async () => {
  const skill = "has-schema";
  const [plain, typed] = [
    await agentWithOffer({ skill, price_pence: 1 }),
    await agentWithOffer({ skill, price_pence: 2 }),
  ];
  const [dear, cheap] = [
    await publishOffer(typed, { skill, price_pence: 9, input_schema: SCHEMA }),
    await publishOffer(typed, { skill, price_pence: 7, input_schema: SCHEMA }),
  ];
  const find = async (has_schema?: "1") => {
    const query = { skill, budget_pence: 100, ...(has_schema ? { has_schema } : {}) };
    const { matches } = (await call<z.output<typeof MatchAnswer>>("GET", "/api/v1/agents/match.php", { query })).body;
    const { agents } = (await call<z.output<typeof DirectoryAnswer>>("GET", "/api/v1/agents/directory.php", { query }))
      .body;
    return [matches.map(({ offer }) => offer.offer_id), agents.map(({ public_id }) => public_id)];
  };
  assert.deepEqual(await find(), [
    [plain.offer.offer_id, typed.offer.offer_id],
    [typed.publicId, plain.publicId],
  ]);
  assert.deepEqual(await find("1"), [[cheap.offer_id], [typed.publicId]]);
  await post(typed, { skill, offer_id: cheap.offer_id });
  assert.deepEqual(await find("1"), [[dear.offer_id], [typed.publicId]]);
  await post(typed, { skill, offer_id: dear.offer_id, input_schema: SCHEMA, enabled: false });
  assert.deepEqual(await find("1"), [[], []]);
});

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
    refused(await post(agent), "offers", /\b5 enabled offers\b/, /Verify the domain .* 50\b/),
  );
  assert.deepEqual((await me(agent)).offers, { used: 5, limit: 5 });
});

test("verifying the domain raises the quota at once, to 50, and then only the administrator can raise it", async () => {
  const agent = await registerAgent();
  await offers(agent, 5);
  refused(await post(agent), "offers");
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  await offers(agent, 45);
  refused(await post(agent), "offers", /\b50 enabled offers\b/, /Ask the administrator/);
  assert.deepEqual((await me(agent)).offers, { used: 50, limit: 50 });
});

test("a domain in grace counts as verified; a lapsed one counts as unverified, but removes no offers", async () => {
  const agent = await verifiedAgent();
  const [first] = await offers(agent, 6);
  await setDomainStatus(agent, "grace");
  succeeded(await post(agent), 201);
  await setDomainStatus(agent, "lapsed");
  refused(await post(agent), "offers", /\b5 enabled offers\b/, /Verify the domain/);
  assert.deepEqual(await counted(agent), { stored: 7, enabled: 7 });
  succeeded(await post(agent, { offer_id: first?.offer_id as string, price_pence: 9 }));
  assert.deepEqual((await me(agent)).offers, { used: 7, limit: 5 });
});

test("enabling a disabled offer needs room; rewriting an enabled one and disabling one never do", async () => {
  const agent = await registerAgent();
  const [first] = await offers(agent, 5);
  const [disabled] = await offers(agent, 1, { enabled: false });
  const offer_id = disabled?.offer_id as string;
  refused(await post(agent, { offer_id }), "offers");
  succeeded(await post(agent, { offer_id, enabled: false, price_pence: 7 }));
  succeeded(await post(agent, { offer_id: first?.offer_id as string, price_pence: 7 }));
  succeeded(await post(agent, { offer_id: first?.offer_id as string, enabled: false }));
  succeeded(await post(agent, { offer_id }));
  assert.deepEqual(await counted(agent), { stored: 6, enabled: 5 });
  assert.equal(outcome(await post(agent, { offer_id: `ofr_${"1".repeat(22)}` })), "404 not_found");
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
    refused(await post(agent, { enabled }), "stored_offers", /\b50 stored offers\b/, /Verify the domain .* 500\b/);
  }
  succeeded(await post(agent, { offer_id: last.offer_id }));
  assert.deepEqual(await counted(agent), { stored: 50, enabled: 1 });
});

test("a quota that the administrator sets counts whether the domain is verified or not, and can be lower", async () => {
  const agent = await registerAgent();
  await setQuota(admin, { publicId: agent.publicId, quota: "offers", limit: 7, reason: "Known to us." });
  await offers(agent, 7);
  refused(await post(agent), "offers", /\b7 enabled offers\b/, /Ask the administrator/);
  succeeded(await callAs(agent, "POST", "/api/v1/agents/verify.php"));
  refused(await post(agent), "offers", /\b7 enabled offers\b/, /Ask the administrator/);
  await setQuota(admin, { publicId: agent.publicId, quota: "offers", limit: 2, reason: "Too many." });
  assert.deepEqual((await me(agent)).offers, { used: 7, limit: 2 });
  assert.deepEqual((await me(agent)).tasks, { used: 0, limit: QUOTAS.tasks.proved });
});

test("of a hundred offers published at once with room for one, one is made", async () => {
  const agent = await verifiedAgent();
  await offers(agent, 49);
  const answers = await Promise.all(Array.from({ length: 100 }, () => post(agent)));
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ error }) => error?.code === "quota_exceeded").length, 99);
  assert.equal((await counted(agent)).enabled, 50);
});

test("of many disabled offers enabled at once, as many are as there is room for", async () => {
  const agent = await registerAgent();
  const disabled = await offers(agent, 20, { enabled: false });
  await Promise.all(disabled.map(({ offer_id }) => post(agent, { offer_id })));
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
