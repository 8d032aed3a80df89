import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { pool } from "#lib/db/client.ts";
import { forgetCachedReads } from "#lib/kernel/cached-read.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { call, testService } from "#testing/client.ts";
import {
  agentWithOffer,
  callAs,
  publishOffer,
  registerAgent,
  succeeded,
  type TestAgent,
  verifiedAgent,
} from "#testing/factories.ts";
import type { AgentAnswer, MyOffersAnswer, OfferAnswer, SkillsAnswer } from "../schema.ts";
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
const post = (agent: TestAgent, overrides: object) =>
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
  const made = await post(agent, {});
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
  await post(other, {});
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
    await Promise.all([
      post(agent, {}),
      replaceSkills(agent, ["summary"]),
      post(agent, {}),
      post(agent, { skill: "summary" }),
    ]);
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
