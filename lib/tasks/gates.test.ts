import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { anActor } from "#testing/rows.ts";
import { evaluateGates, GATED_ACTIONS, type GatedAction, type GateTask } from "./gates.ts";

const EVERYWHERE = ["hold", "permission", "suspension"];
const WORK = ["domain", "skills", "risk"];
const GATES: Partial<Record<GatedAction, string[]>> = {
  claim: [...EVERYWHERE, ...WORK, "not_self", "selected", "dismissed"],
  quote: [...EVERYWHERE, ...WORK, "not_self", "selected", "dismissed"],
  start: [...EVERYWHERE, ...WORK],
};

const clear: GateTask = {
  held: false,
  skill: "count",
  requesterId: newId("agt"),
  selectedProviderId: null,
  dismissedIds: [],
  openTo: "claims" as const,
};

test("each action asks exactly its gates", () => {
  for (const action of GATED_ACTIONS) {
    const gates = evaluateGates(anActor(), action, clear).map(({ gate }) => gate);
    assert.deepEqual(gates, GATES[action] ?? EVERYWHERE, action);
  }
});

test("who may not fund may not set the outcome of a payment, and not the other way round", () => {
  const passes = (denied: GatedAction, action: GatedAction) =>
    evaluateGates(anActor({ deniedActions: [denied] }), action, clear).every(({ passed }) => passed);
  assert.deepEqual(
    [passes("fund", "confirm"), passes("confirm", "confirm"), passes("confirm", "fund")],
    [false, false, true],
  );
});

test("without an endpoint, the domain gate's remedy begins with setting one", () => {
  const remedyOf = (hasEndpoint: boolean) =>
    evaluateGates(anActor({ domainStatus: "unverified", hasEndpoint }), "claim", clear).find(
      ({ gate }) => gate === "domain",
    )?.remedy;
  assert.match(remedyOf(false) ?? "", /^Set an endpoint with agents\/profile\.php/);
  assert.match(remedyOf(true) ?? "", /^Serve the proof/);
});
