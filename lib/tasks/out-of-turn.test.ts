import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { aTask, NOW } from "#testing/rows.ts";
import type { TaskState } from "./machine.ts";
import { nextStep } from "./out-of-turn.ts";
import type { TaskRow } from "./row.ts";

const [requester, provider, stranger] = [newId("agt"), newId("agt"), newId("agt")];

function told(state: TaskState, facts: Partial<TaskRow> = {}) {
  const claimed = state === "open" ? {} : { providerId: provider, contractId: newId("con"), amountPence: 500 };
  const row = aTask({ requesterId: requester, state, ...claimed, ...facts });
  return [requester, provider, stranger].map((caller) => nextStep(row, caller, NOW));
}

const CLOSED = "Only its parties can take the next step.";
const pendingPayment = { id: newId("pay"), checkoutUrl: null };

const CASES: [TaskState, Partial<TaskRow>, requester: string, provider: string][] = [
  ["claimed", {}, "You must propose", "The requester must propose"],
  ["proposed", {}, "Both parties must accept", "Both parties must accept"],
  ["proposed", { requesterAcceptedAt: NOW }, "The provider must accept", "You must accept"],
  ["proposed", { providerAcceptedAt: NOW }, "You must accept", "The requester must accept"],
  ["accepted", {}, "You must fund", "The requester must fund"],
  ["accepted", { funding: "pending", pendingPayment }, "You must set", "The requester must set"],
  [
    "accepted",
    { paymentMode: "LIVE", funding: "pending", pendingPayment },
    "The requester must pay at the open checkout",
    "The requester must pay at the open checkout",
  ],
  ["accepted", { funding: "confirmed" }, "The provider must start", "You must start"],
  ["in_progress", { funding: "confirmed" }, "The provider must submit", "You must submit"],
  ["submitted", { funding: "confirmed" }, "You must complete", "The requester must complete"],
  ["submitted", { disputeId: newId("dsp") }, "An administrator must resolve", "An administrator must resolve"],
  ["submitted", { heldAt: NOW }, "An administrator must lift", "An administrator must lift"],
];

for (const [state, facts, toRequester, toProvider] of CASES)
  test(`${state} ${JSON.stringify(facts)}: each party is told whose turn it is, and strangers are not`, () => {
    const [one, other, third] = told(state, facts);
    assert.ok(one?.startsWith(toRequester), one);
    assert.ok(other?.startsWith(toProvider), other);
    assert.equal(third, CLOSED);
  });

test("an open task names who may claim it, and an ended one waits for nobody", () => {
  assert.equal(new Set(told("open")).size, 1);
  assert.match(told("open")[2] ?? "", /^A provider must claim it/);
  const selected = told("open", { selectedProviderId: provider });
  assert.match(selected[0] ?? "", /^The selected provider must claim it/);
  assert.match(selected[1] ?? "", /^You must claim it/);
  const quoted = (...quoteEnds: Date[]) => told("open", { openTo: "quotes", quoteEnds });
  assert.match(quoted(NOW)[0] ?? "", /^A provider must make a quote/);
  const live = new Date(NOW.getTime() + 1);
  assert.deepEqual(
    quoted(live).map((words) => words.split(" must choose a quote")[0]),
    ["You", "The requester", "The requester"],
  );
  for (const state of ["completed", "cancelled", "expired"] as const)
    assert.deepEqual(new Set(told(state)), new Set(["It has ended."]));
  assert.deepEqual(new Set(told("open", { expiresAt: NOW })), new Set(["It has ended."]));
});
