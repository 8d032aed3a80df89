import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServiceActor } from "#lib/kernel/actor.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { anActor } from "#testing/rows.ts";
import { evaluateGates, GATED_ACTIONS, type GatedAction, type GateTask, requireGates } from "./gates.ts";

const EVERYWHERE = ["hold", "permission", "suspension"];
const WORK = ["domain", "skills", "risk"];
const GATES: Partial<Record<GatedAction, string[]>> = {
  claim: [...EVERYWHERE, ...WORK, "not_self", "selected", "dismissed"],
  quote: [...EVERYWHERE, ...WORK, "not_self", "selected", "dismissed"],
  start: [...EVERYWHERE, ...WORK],
};
const gatesOf = (action: GatedAction) => GATES[action] ?? EVERYWHERE;

const clear: GateTask = {
  held: false,
  skill: "count",
  requesterId: newId("agt"),
  selectedProviderId: null,
  dismissedIds: [],
  openTo: "claims" as const,
};

const DISMISSED = newId("agt");

/** One obstacle at a time: what shuts which gate, and under which reason. */
const OBSTACLES: [gate: string, reason: string, Partial<ServiceActor>, Partial<GateTask>][] = [
  ["hold", "identity_held", { held: true }, {}],
  ["hold", "leaked_token", { leaked: true }, {}],
  ["hold", "owner_frozen", { frozen: true }, {}],
  ["hold", "host_held", { held: true, heldByHost: true }, {}],
  ["hold", "task_held", {}, { held: true }],
  ["permission", "denied", { deniedActions: [...GATED_ACTIONS] }, {}],
  ["suspension", "suspended", { suspended: true }, {}],
  ["domain", "unverified", { domainStatus: "unverified" }, {}],
  ["domain", "lapsed", { domainStatus: "lapsed" }, {}],
  ["skills", "missing_skill", { skills: ["other"] }, {}],
  ["risk", "high_risk", { risk: "high" }, {}],
  ["not_self", "own_task", { id: clear.requesterId }, {}],
  ["selected", "other_provider_selected", {}, { selectedProviderId: newId("agt") }],
  ["dismissed", "dismissed", { id: DISMISSED }, { dismissedIds: [DISMISSED] }],
];

for (const action of GATED_ACTIONS) {
  test(`${action} asks exactly its gates, and all are open for an identity in good standing`, () => {
    const results = evaluateGates(anActor(), action, clear);
    assert.deepEqual(
      results.map(({ gate }) => gate),
      gatesOf(action),
    );
    assert.ok(results.every(({ passed, reason, remedy }) => passed && reason === null && remedy === null));
    requireGates(anActor(), action, clear);
  });

  test(`${action} is refused by each obstacle at its own gate, and by no other`, () => {
    for (const [gate, reason, caller, task] of OBSTACLES) {
      const failed = evaluateGates(anActor(caller), action, { ...clear, ...task }).filter(({ passed }) => !passed);
      const expected = gatesOf(action).includes(gate) ? [[gate, reason]] : [];
      assert.deepEqual(
        failed.map((result) => [result.gate, result.reason]),
        expected,
        reason,
      );
      for (const { remedy } of failed) assert.match(remedy ?? "", /^[A-Z].+\.$/);
    }
  });
}

test("who may not fund may not set the outcome of a payment, and not the other way round", () => {
  const passes = (denied: GatedAction, action: GatedAction) =>
    evaluateGates(anActor({ deniedActions: [denied] }), action, clear).every(({ passed }) => passed);
  assert.deepEqual(
    [passes("fund", "confirm"), passes("confirm", "confirm"), passes("confirm", "fund")],
    [false, false, true],
  );
});

test("all gates are evaluated, so that the caller sees every obstacle at once", () => {
  const caller = anActor({
    id: clear.requesterId,
    held: true,
    suspended: true,
    deniedActions: ["claim"],
    domainStatus: "lapsed",
    skills: [],
    risk: "high",
  });
  const dismissed = { ...clear, dismissedIds: [caller.id], selectedProviderId: newId("agt") };
  const results = evaluateGates(caller, "claim", { ...dismissed, held: true });
  assert.ok(results.every(({ passed }) => !passed));
  assert.throws(
    () => requireGates(caller, "claim", dismissed),
    (error) => error instanceof ApiError && error.code === "gate_refused" && error.details.gates?.length === 9,
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

test("a domain in grace opens the domain gate", () => {
  requireGates(anActor({ domainStatus: "grace" }), "claim", clear);
  requireGates(anActor({ domainStatus: "grace" }), "start", clear);
});

test("risk below high, another denied action, and a task without a skill block nobody", () => {
  for (const risk of ["low", "normal"] as const) requireGates(anActor({ risk }), "claim", clear);
  requireGates(anActor({ deniedActions: ["start", "post"] }), "claim", clear);
  requireGates(anActor({ skills: [] }), "claim", { ...clear, skill: null });
});

test("the selected provider passes the gate that stops all others", () => {
  const chosen = anActor();
  requireGates(chosen, "claim", { ...clear, selectedProviderId: chosen.id });
});

test("only gates about the caller apply to creation, because there is no task yet", () => {
  requireGates(anActor({ domainStatus: "unverified", skills: [], risk: "high" }), "create");
  assert.throws(() => requireGates(anActor({ held: true }), "create"), ApiError);
});
