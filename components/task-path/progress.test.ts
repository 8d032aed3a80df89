import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clockWords,
  doerOf,
  type Progress,
  STATE_ORDER,
  standingOf,
  stepsOf,
  type TaskState,
  type Transition,
  waitingSentence,
} from "./progress.ts";

let minute = 0;
function transition(state: TaskState, by: string | null = "Alpha"): Transition {
  minute += 1;
  return { action: "step", state, at: new Date(Date.UTC(2026, 4, 3, 12, minute)).toISOString(), by };
}
const statuses = (history: Transition[]) => stepsOf(history).steps.map((step) => `${step.state}:${step.status}`);

test("a task in progress shows its past, current and future steps", () => {
  assert.deepEqual(statuses([transition("open"), transition("claimed"), transition("proposed")]), [
    "open:done",
    "claimed:done",
    "proposed:here",
    "accepted:ahead",
    "in_progress:ahead",
    "submitted:ahead",
    "completed:ahead",
  ]);
});

test("a completed task has no steps ahead", () => {
  assert.deepEqual(
    statuses(STATE_ORDER.map((state) => transition(state))),
    STATE_ORDER.map((state) => `${state}:done`),
  );
});

test("a task that ended early has no steps ahead", () => {
  assert.deepEqual(statuses([transition("open"), transition("claimed"), transition("cancelled")]), [
    "open:done",
    "claimed:done",
    "cancelled:stopped",
  ]);
});

test("going back undoes the later steps, keeps the first time and is listed separately", () => {
  const opened = transition("open");
  const released = transition("open", "Beta");
  const { steps, returns } = stepsOf([opened, transition("claimed", "Beta"), released]);
  assert.deepEqual(steps[0], { ...opened, status: "here" });
  assert.equal(steps[1]?.status, "ahead");
  assert.deepEqual(returns, [{ action: "step", at: released.at, by: "Beta" }]);
});

test("a second claim after a release shows the second claimant", () => {
  const again = transition("claimed", "Gamma");
  const { steps } = stepsOf([transition("open"), transition("claimed", "Beta"), transition("open", "Beta"), again]);
  assert.equal(steps[1]?.by, "Gamma");
});

const progress: Progress = {
  state: "open",
  requester: "Alpha",
  provider: "Beta",
  selectedProvider: null,
  requesterAccepted: false,
  providerAccepted: false,
  funding: null,
  held: false,
  disputed: false,
  awaited: null,
  clocks: [],
  reader: null,
};

test("a running clock names who has how long to do what, and what follows", () => {
  const cases: [
    Progress["clocks"][number]["clock"],
    Progress["clocks"][number]["then"],
    Partial<Progress>,
    string,
    RegExp,
  ][] = [
    ["claim", "lapse", { state: "claimed" }, "Alpha: propose an agreement", /lapses/],
    ["claim", "lapse", { state: "proposed" }, "Alpha and Beta: accept", /lapses/],
    ["claim", "lapse", { state: "proposed", requesterAccepted: true }, "Beta: accept", /lapses/],
    ["claim", "lapse", { state: "proposed", providerAccepted: true }, "Alpha: accept", /lapses/],
    ["work", "leave", { state: "in_progress" }, "Beta: submit a result", /Alpha may end the task/],
    ["work", "leave", { state: "in_progress", reader: "provider" }, "You: submit a result", /Alpha may end/],
    ["work", "leave", { state: "in_progress", reader: "requester" }, "Beta: submit a result", /, you may end/],
    ["review", "auto_complete", { state: "submitted" }, "Alpha: review the result", /service completes/],
    ["review", "conclude", { state: "submitted" }, "Alpha: review the result", /Beta may complete/],
  ];
  for (const [clock, end, facts, words, next] of cases) {
    // biome-ignore lint/suspicious/noThenProperty: the wire calls it so, and it is text
    const found = clockWords({ clock, ends_at: "2026-05-03T14:00:00.000Z", then: end }, false, {
      ...progress,
      ...facts,
    });
    assert.equal(`${found.who}: ${found.task}`, words);
    assert.match(found.next, next);
  }
});

test("every state that can continue names whom it waits for, and ended states do not", () => {
  for (const state of STATE_ORDER) {
    const sentence = waitingSentence({ ...progress, state });
    if (state === "completed") assert.equal(sentence, null);
    else assert.match(sentence ?? "", /^Waiting for /);
  }
  assert.equal(waitingSentence({ ...progress, state: "cancelled" }), null);
  assert.equal(waitingSentence({ ...progress, state: "expired" }), null);
});

test("a task that is open to quotes waits for quotes, then for the requester's choice, then for the claim", () => {
  const cases: [Partial<Progress>, string][] = [
    [{ liveQuotes: "0" }, "Waiting for quotes from verified providers."],
    [{ liveQuotes: "1-4" }, "Waiting for Alpha to choose a quote."],
    [{ liveQuotes: "1-4", reader: "requester" }, "Your turn: choose a quote, or wait for others."],
    [{ liveQuotes: "1-4", selectedProvider: "Beta", awaited: "claim" }, "Your turn: claim it."],
  ];
  for (const [facts, words] of cases) assert.equal(waitingSentence({ ...progress, ...facts }), words);
});

test("an accepted task waits for funding before it waits for the provider", () => {
  const accepted: Progress = { ...progress, state: "accepted" };
  assert.equal(waitingSentence({ ...accepted, funding: "required" }), "Waiting for Alpha to fund it.");
  assert.equal(waitingSentence({ ...accepted, funding: "pending" }), "Waiting for the payment to be confirmed.");
  assert.equal(waitingSentence({ ...accepted, funding: "confirmed" }), "Waiting for Beta to start.");
});

test("what the service says is the reader’s turn comes before whom the task waits for, and a hold before both", () => {
  assert.equal(waitingSentence({ ...progress, awaited: "propose" }), "Your turn: propose an agreement.");
  const disputed: Progress = { ...progress, state: "in_progress", disputed: true };
  assert.match(waitingSentence(disputed) ?? "", /^Waiting for the administrator to resolve the dispute\./);
  assert.equal(
    waitingSentence({ ...disputed, awaited: "dispute_statement" }),
    "Your turn: give your side of the dispute.",
  );
  assert.match(
    waitingSentence({ ...disputed, awaited: "submit", held: true }) ?? "",
    /^Waiting for the administrator to lift the hold/,
  );
});

test("a task stands in its state, unless a hold or a dispute keeps it there", () => {
  const words = (facts: Parameters<typeof standingOf>[0]) => standingOf(facts).word;
  assert.equal(words({ state: "submitted" }), "Submitted");
  assert.equal(words({ state: "submitted", held: true }), "Submitted, held by the administrator");
  assert.equal(words({ state: "open", held: true, disputed: true }), "In dispute, waiting for the administrator");
});

test("a completion says who did it: the requester, an administrator, or the service after the review period", () => {
  assert.equal(doerOf("complete", "Alpha"), "Alpha");
  assert.equal(doerOf("complete", null), "the administrator");
  assert.equal(doerOf("auto_complete", null), "the service");
});
