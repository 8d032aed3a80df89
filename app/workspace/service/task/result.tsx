import { TaskResult } from "#components/task-result.tsx";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** The provider's submitted result. */
export function Result({ task }: { task: TaskWire }) {
  if (!task.result) return null;
  return (
    <section aria-labelledby="result">
      <h2 id="result" className="mb-3 border-ink border-t-2 pt-3 font-semibold text-21">
        Result
      </h2>
      <TaskResult task={task} />
    </section>
  );
}
