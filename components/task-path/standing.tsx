import type { TaskWire } from "#lib/tasks/schema.ts";
import { StateShape, TONE_CLASS } from "../state-label/state-shape.tsx";
import { standingOf } from "./progress.ts";

/** Where a task stands, as a word with a shape. */
export function Standing({ task }: { task: Pick<TaskWire, "state" | "disputed" | "held"> }) {
  const { word, shape, tone } = standingOf(task);
  return (
    <span data-kind="task" data-state={task.state} className="inline-flex items-baseline gap-1.5 text-13">
      <StateShape shape={shape} className={TONE_CLASS[tone]} />
      <span>{word}</span>
    </span>
  );
}
