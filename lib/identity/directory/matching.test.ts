import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Condition,
  freshForSeconds,
  freshSince,
  isEligible,
  isFresh,
  type MatchingFacts,
  matchConditions,
} from "./matching.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const eligible: MatchingFacts = {
  suspended: false,
  leaked: false,
  frozen: false,
  held: false,
  domainStatus: "verified",
  hasEndpoint: true,
  publicProfile: true,
  skills: ["translation", "summary"],
  offers: [{ skill: "translation", pricePence: 500 }],
  health: { status: "available", reportedAt: now },
};
const wanted = { skill: "translation", budgetPence: 500 };

const failing = (conditions: Condition[]) =>
  conditions.filter(({ passed }) => !passed).map(({ condition }) => condition);

test("an identity that meets every condition is eligible, and nothing remains to be done", () => {
  const conditions = matchConditions(eligible, wanted, now);
  assert.ok(isEligible(conditions));
  assert.ok(conditions.every(({ remedy }) => remedy === null));
});

const CASES: [string, Partial<MatchingFacts>, Condition["condition"][]][] = [
  ["is suspended", { suspended: true }, ["active"]],
  ["has a leaked token", { leaked: true }, ["active"]],
  ["is held, or on a held host,", { held: true }, ["active"]],
  ["is frozen", { frozen: true }, ["active"]],
  ["was never verified", { domainStatus: "unverified" }, ["verified_domain"]],
  ["has lost its domain", { domainStatus: "lapsed" }, ["verified_domain"]],
  ["has no endpoint", { domainStatus: "unverified", hasEndpoint: false }, ["verified_domain"]],
  ["hides its profile", { publicProfile: false }, ["public_profile"]],
  ["lacks the skill", { skills: ["summary"] }, ["skill"]],
  ["has no offer", { offers: [] }, ["offer", "price"]],
  ["has an offer for something else", { offers: [{ skill: "summary", pricePence: 1 }] }, ["offer", "price"]],
  ["is too dear by a penny", { offers: [{ skill: "translation", pricePence: 501 }] }, ["price"]],
  ["never reported", { health: null }, ["availability", "freshness"]],
  ["is busy", { health: { status: "busy", reportedAt: now } }, ["availability"]],
  ["is in maintenance", { health: { status: "maintenance", reportedAt: now } }, ["availability"]],
  ["is offline", { health: { status: "offline", reportedAt: now } }, ["availability"]],
  [
    "reported just too long ago",
    { health: { status: "available", reportedAt: new Date(now.getTime() - 900_001) } },
    ["freshness"],
  ],
];
for (const [what, facts, conditions] of CASES) {
  test(`an identity that ${what} fails exactly ${conditions.join(" and ")}, with a remedy`, () => {
    const judged = matchConditions({ ...eligible, ...facts }, wanted, now);
    assert.deepEqual(failing(judged), conditions);
    assert.ok(!isEligible(judged));
    assert.ok(judged.every(({ passed, remedy }) => passed === (remedy === null)));
  });
}

test("a domain in its grace still counts as proved", () => {
  assert.ok(isEligible(matchConditions({ ...eligible, domainStatus: "grace" }, wanted, now)));
});

test("the cheapest of several offers decides, and a free one fits a budget of nothing", () => {
  const offers = [9_000, 0, 400].map((pricePence) => ({ skill: "translation", pricePence }));
  assert.ok(isEligible(matchConditions({ ...eligible, offers }, { ...wanted, budgetPence: 0 }, now)));
});

test("a report counts for 15 minutes to the millisecond", () => {
  const last = new Date(now.getTime() - 900_000);
  assert.deepEqual(freshSince(now), last);
  assert.ok(isFresh(last, now));
  assert.ok(!isFresh(new Date(last.getTime() - 1), now));
  assert.ok(!isFresh(null, now));
  assert.equal(freshForSeconds(now, now), 900);
  assert.equal(freshForSeconds(last, now), 0);
  assert.equal(freshForSeconds(new Date(last.getTime() - 5_000), now), 0);
});
