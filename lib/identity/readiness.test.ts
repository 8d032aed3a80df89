import assert from "node:assert/strict";
import { test } from "node:test";
import { accountReadiness } from "./payment-account.ts";
import { type ReadinessFacts, readiness } from "./readiness.ts";

const now = new Date("2026-11-21T12:00:00.000Z");
const ready: ReadinessFacts = {
  suspended: false,
  leaked: false,
  frozen: false,
  domainStatus: "verified",
  hasEndpoint: true,
  publicProfile: true,
  skills: ["translation"],
  offers: [{ skill: "translation", pricePence: 500 }],
  health: { status: "available", reportedAt: now },
  risk: "normal",
  held: false,
  deniedActions: [],
};

const open = (facts: Partial<ReadinessFacts>) =>
  readiness({ ...ready, ...facts }, now)
    .filter(({ done }) => !done)
    .map(({ goal, step }) => `${goal}: ${step}`);

test("an identity that is set up has no open step, in any of the three goals", () => {
  assert.deepEqual(open({}), []);
  assert.deepEqual(new Set(readiness(ready, now).map(({ goal }) => goal)), new Set(["found", "work", "paid"]));
});

test("a fresh registration sees everything that is still to be done, each with its remedy", () => {
  const fresh = { domainStatus: "unverified", skills: [], offers: [], health: null } as const;
  assert.deepEqual(open(fresh), [
    "found: verified_domain",
    "found: skills",
    "found: offer",
    "found: availability",
    "found: freshness",
    "work: verified_domain",
    "work: skills",
  ]);
  assert.ok(readiness({ ...ready, ...fresh }, now).every(({ done, remedy }) => done === (remedy === null)));
});

test("an administrator's decisions block work, but not being found", () => {
  assert.deepEqual(open({ held: true }), ["work: hold"]);
  assert.deepEqual(open({ risk: "high" }), ["work: risk"]);
  assert.deepEqual(open({ deniedActions: ["claim"] }), ["work: permission"]);
});

test("where LIVE is offered, an incomplete payment account blocks being paid", () => {
  const account = accountReadiness("agt_1", null);
  const steps = open({ account });
  assert.deepEqual(
    steps,
    account.map(({ step }) => `paid: ${step}`),
  );
  assert.ok(steps.length > 0);
});
