import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { aTask, NOW } from "#testing/rows.ts";
import { fc } from "#testing/seed.ts";
import { DISPUTABLE, effectiveState, STEPS, type StepName, TASK_STATES, type TaskState } from "./machine.ts";

const ENDS: TaskState[] = ["completed", "cancelled", "expired"];
const steps = Object.entries(STEPS) as [StepName, (typeof STEPS)[StepName]][];

function next(state: TaskState): TaskState[] {
  return steps.flatMap(([, step]) => ((step.from as readonly TaskState[]).includes(state) ? [step.to] : []));
}

function reachable(from: TaskState): Set<TaskState> {
  const seen = new Set<TaskState>([from]);
  for (const state of seen) for (const to of next(state)) seen.add(to);
  return seen;
}

test("every state can be reached from open", () => {
  assert.deepEqual([...reachable("open")].sort(), [...TASK_STATES].sort());
});

test("no step leaves a final state, and at least one leaves every other state", () => {
  for (const state of TASK_STATES) assert.equal(next(state).length === 0, ENDS.includes(state), state);
});

test("completion or cancellation can be reached from every state that is not final", () => {
  for (const state of TASK_STATES.filter((state) => !ENDS.includes(state))) {
    const ahead = reachable(state);
    assert.ok(ahead.has("completed") && ahead.has("cancelled"), state);
  }
});

test("without an administrator, a task can only be completed after acceptance, start and submission", () => {
  const order: TaskState[] = ["claimed", "proposed", "accepted", "in_progress", "submitted", "completed"];
  const parties = steps.filter(([, step]) => step.by !== "administrator");
  for (let index = 1; index < order.length; index += 1) {
    const sources = TASK_STATES.filter((state) =>
      parties.some(([, { from, to }]) => (from as readonly TaskState[]).includes(state) && to === order[index]),
    );
    const forward = sources.filter((state) => order.indexOf(state) < index);
    assert.deepEqual(forward, [order[index - 1]], order[index]);
  }
});

test("a dispute needs another party and a task that has not ended", () => {
  assert.deepEqual(
    [...DISPUTABLE],
    TASK_STATES.filter((state) => state !== "open" && !ENDS.includes(state)),
  );
});

test("an administrator can annul every task that can have a dispute, whatever has happened since", () => {
  for (const state of DISPUTABLE) {
    const later = [...reachable(state)].filter((state) => !ENDS.includes(state));
    for (const state of later) assert.ok((STEPS.annul.from as readonly TaskState[]).includes(state), state);
  }
});

test("an open task is expired exactly from its expiry time, and no other state becomes expired", () => {
  fc.assert(
    fc.property(fc.constantFrom(...TASK_STATES), fc.integer({ min: -100_000, max: 100_000 }), (state, offset) => {
      const task = aTask({ state, expiresAt: new Date(NOW.getTime() + offset) });
      assert.equal(effectiveState(task, NOW), state === "open" && offset <= 0 ? "expired" : state);
    }),
  );
});

test("the diagram in docs/deals.md is drawn from the table of steps", () => {
  const arrows = TASK_STATES.flatMap((from) =>
    TASK_STATES.flatMap((to) => {
      const names = steps.flatMap(([name, step]) =>
        (step.from as readonly TaskState[]).includes(from) && step.to === to ? [name] : [],
      );
      return names.length > 0 ? [`${from} --> ${to}: ${names.join(", ")}`] : [];
    }),
  );
  const drawn = ["[*] --> open", ...arrows, ...ENDS.map((state) => `${state} --> [*]`)];
  const [, found] = /```mermaid\n([\s\S]*?)\n```/.exec(readFileSync("docs/deals.md", "utf8")) ?? [];
  assert.equal(found, ["stateDiagram-v2", ...drawn.map((line) => `  ${line}`)].join("\n"));
});
