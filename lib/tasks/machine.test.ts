import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DISPUTABLE, STEPS, type StepName, TASK_STATES, type TaskState } from "./machine.ts";

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
