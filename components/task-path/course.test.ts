import assert from "node:assert/strict";
import { test } from "node:test";
import { type Arrival, awaited, COURSE, courseOf, type Standing, type TaskState } from "./course.ts";

let minute = 0;
function arrival(state: TaskState, by: string | null = "Alpha"): Arrival {
  minute += 1;
  return { state, at: new Date(Date.UTC(2026, 4, 3, 12, minute)).toISOString(), by };
}
const statuses = (history: Arrival[]) => courseOf(history).steps.map((step) => `${step.state}:${step.status}`);

test("a task under way shows what is done, where it stands and what lies ahead", () => {
  assert.deepEqual(statuses([arrival("open"), arrival("claimed"), arrival("proposed")]), [
    "open:done",
    "claimed:done",
    "proposed:here",
    "accepted:ahead",
    "in_progress:ahead",
    "submitted:ahead",
    "completed:ahead",
  ]);
});

test("a completed task has nothing ahead and waits for nobody", () => {
  assert.deepEqual(
    statuses(COURSE.map((state) => arrival(state))),
    COURSE.map((state) => `${state}:done`),
  );
});

test("a task that ended early ends its course there", () => {
  assert.deepEqual(statuses([arrival("open"), arrival("claimed"), arrival("cancelled")]), [
    "open:done",
    "claimed:done",
    "cancelled:stopped",
  ]);
});

test("a step back takes the later steps away, keeps the first time and is told apart", () => {
  const opened = arrival("open");
  const released = arrival("open", "Beta");
  const { steps, returns } = courseOf([opened, arrival("claimed", "Beta"), released]);
  assert.deepEqual(steps[0], { ...opened, status: "here" });
  assert.equal(steps[1]?.status, "ahead");
  assert.deepEqual(returns, [{ from: "claimed", to: "open", at: released.at, by: "Beta" }]);
});

test("a second claim after a release shows the second claimant", () => {
  const again = arrival("claimed", "Gamma");
  const { steps } = courseOf([arrival("open"), arrival("claimed", "Beta"), arrival("open", "Beta"), again]);
  assert.equal(steps[1]?.by, "Gamma");
});

const standing: Standing = {
  state: "open",
  requester: "Alpha",
  provider: "Beta",
  selectedProvider: null,
  requesterAccepted: false,
  providerAccepted: false,
  funding: null,
  held: false,
  disputed: false,
};

test("every state that can go on names whom it waits for, and no ended one does", () => {
  for (const state of COURSE) {
    const sentence = awaited({ ...standing, state });
    if (state === "completed") assert.equal(sentence, null);
    else assert.match(sentence ?? "", /^Waiting for /);
  }
  assert.equal(awaited({ ...standing, state: "cancelled" }), null);
  assert.equal(awaited({ ...standing, state: "expired" }), null);
});

test("an accepted task waits for funding before it waits for the provider", () => {
  const accepted: Standing = { ...standing, state: "accepted" };
  assert.equal(awaited({ ...accepted, funding: "required" }), "Waiting for Alpha to fund it.");
  assert.equal(awaited({ ...accepted, funding: "pending" }), "Waiting for the payment to be confirmed.");
  assert.equal(awaited({ ...accepted, funding: "confirmed" }), "Waiting for Beta to start.");
  assert.equal(
    awaited({ ...accepted, funding: "undisclosed" }),
    "Waiting for Beta to start, once Alpha has funded it.",
  );
});

test("a hold and a dispute come before every other reason to wait", () => {
  assert.match(awaited({ ...standing, held: true }) ?? "", /^Held by the administrator/);
  assert.match(awaited({ ...standing, state: "submitted", disputed: true }) ?? "", /^Disputed/);
});
