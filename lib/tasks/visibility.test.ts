import assert from "node:assert/strict";
import { test } from "node:test";
import type { Actor } from "#lib/kernel/actor.ts";
import { newId } from "#lib/kernel/ids.ts";
import { anActor, aTask, NOW } from "#testing/rows.ts";
import { TASK_STATES } from "./machine.ts";
import { summaryView, taskView } from "./view.ts";
import { isParty, mayClaimUnseen, sightOf } from "./visibility.ts";

const requester = anActor();
const selected = anActor();
const provider = anActor();
const verified = anActor();
const unverified = anActor({ domainStatus: "unverified" });
const visitor: Actor = { kind: "visitor" };
const administrator: Actor = { kind: "administrator", id: "root" };
const parties = { requesterId: requester.id, selectedProviderId: selected.id, providerId: provider.id };

test("only the requester, the selected provider and the claiming provider are parties", () => {
  const task = aTask(parties);
  for (const party of [requester, selected, provider]) assert.ok(isParty(task, party.id));
  assert.ok(!isParty(task, verified.id));
});

for (const visibility of ["listed", "unlisted"] as const) {
  test(`in every state, the parties and the administrator read all of a task that is ${visibility}`, () => {
    for (const state of TASK_STATES) {
      const task = aTask({ ...parties, visibility, state });
      for (const actor of [requester, selected, provider, administrator])
        assert.equal(sightOf(task, actor, NOW), "party", state);
    }
  });
}

test("an unlisted task is hidden from everyone else in every state", () => {
  for (const state of TASK_STATES)
    for (const actor of [visitor, verified, unverified])
      assert.equal(sightOf(aTask({ ...parties, visibility: "unlisted", state }), actor, NOW), "hidden", state);
});

test("verified identities can read a listed task's brief while it is open, and others only the summary", () => {
  for (const state of TASK_STATES) {
    const task = aTask({ ...parties, state });
    assert.equal(sightOf(task, visitor, NOW), "visitor");
    assert.equal(sightOf(task, unverified, NOW), "visitor");
    assert.equal(sightOf(task, verified, NOW), state === "open" ? "reader" : "visitor", state);
  }
  assert.equal(sightOf(aTask({ expiresAt: NOW }), verified, NOW), "visitor", "past its time it is not open");
});

test("a verified identity may claim an unlisted task by its ID while it is open and nobody else is selected", () => {
  const task = aTask({ visibility: "unlisted" });
  assert.ok(mayClaimUnseen(task, verified, NOW));
  assert.ok(mayClaimUnseen(task, anActor({ domainStatus: "grace" }), NOW));
  assert.ok(!mayClaimUnseen(task, unverified, NOW));
  assert.ok(!mayClaimUnseen(task, anActor({ domainStatus: "lapsed" }), NOW));
  assert.ok(!mayClaimUnseen(aTask({ ...task, expiresAt: NOW }), verified, NOW));
  assert.ok(!mayClaimUnseen(aTask({ ...task, selectedProviderId: newId("agt") }), verified, NOW));
  assert.ok(mayClaimUnseen(aTask({ ...task, selectedProviderId: verified.id }), verified, NOW));
  for (const state of TASK_STATES.filter((state) => state !== "open"))
    assert.ok(!mayClaimUnseen(aTask({ ...task, state }), verified, NOW), state);
});

const PRIVATE = [
  "brief",
  "result",
  "result_url",
  "evidence_hash",
  "changes_reason",
  "held",
  "dispute_id",
  "settlement_id",
];

test("fields that a reader may not see are absent from the answer, not empty", () => {
  const task = aTask({ ...parties, state: "submitted", result: "3 words", disputeId: newId("dsp") });
  const shown = (actor: Actor) => PRIVATE.filter((field) => field in taskView(task, actor, NOW));
  assert.deepEqual(shown(requester), PRIVATE);
  assert.deepEqual(shown(administrator), PRIVATE);
  for (const actor of [visitor, verified, unverified]) assert.deepEqual(shown(actor), []);
  assert.ok(PRIVATE.every((field) => !(field in summaryView(task, NOW))));
  assert.deepEqual(
    PRIVATE.filter((field) => field in taskView(aTask(), verified, NOW)),
    ["brief"],
  );
});
