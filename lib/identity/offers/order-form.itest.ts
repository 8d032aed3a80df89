import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { call, testService } from "#testing/client.ts";
import { agentWithOffer, callAs, publishOffer, registerAgent, type TestAgent } from "#testing/factories.ts";
import type { AgentAnswer, DirectoryAnswer, MatchAnswer, OfferAnswer } from "../schema.ts";

testService();

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
const base = {
  ...{ skill: "translation", description: "A", input: "B", output: "C", limits: "D" },
  ...{ price_pence: 5, enabled: true },
};
const post = (agent: TestAgent, fields: object) =>
  callAs<z.output<typeof OfferAnswer>>(agent, "POST", "/api/v1/agents/offers.php", { ...base, ...fields });

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
  assert.match(order?.curl ?? "", /jobs\/order\.php .*"input":{"text":" x\\r\\n "},"price_pence":5,"revision":1}'$/);
  assert.match(order?.sdk ?? "", /^const { task } = await guild\.jobs\.order\({"offer_id":"ofr_/);
});

test("a change makes a new revision; switching an offer off and on, and sending it back as it was read, do not", async () => {
  const agent = await registerAgent();
  const { offer } = (await post(agent, FORM)).body;
  const read = {
    ...base,
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
    [{ acceptance_criteria: schemas }, "acceptance_criteria", /at most 4 entries of kind json_schema/],
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
  assert.equal((await post(agent, {})).status, 201);
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
  await post(typed, { ...base, skill, offer_id: cheap.offer_id });
  assert.deepEqual(await find("1"), [[dear.offer_id], [typed.publicId]]);
  await post(typed, { ...base, skill, offer_id: dear.offer_id, input_schema: SCHEMA, enabled: false });
  assert.deepEqual(await find("1"), [[], []]);
});
