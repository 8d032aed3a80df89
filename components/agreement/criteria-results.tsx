import type { TaskWire } from "#lib/tasks/schema.ts";
import { StateShape } from "../state-label/state-shape.tsx";
import { UserText } from "../user-text/user-text.tsx";

const NAMES = {
  sha256: "SHA-256",
  json_schema: "JSON Schema",
  max_bytes: "Size",
  file_present: "File",
  file_sha256: "SHA-256 of a file",
  file_json_schema: "JSON Schema of a file",
} as const;
const letter = (index: number) => String.fromCharCode("a".charCodeAt(0) + index);

/** What the service found in the submitted result: one line for each criterion that it checks. */
export function CriteriaResults({ task }: { task: Pick<TaskWire, "criteria_results" | "criteria_passed"> }) {
  const { criteria_results: results } = task;
  if (!results || results.length === 0) return null;
  const failed = results.filter(({ passed }) => !passed).length;
  return (
    <div className={`mb-4 border-s-2 ps-4 ${failed > 0 ? "border-danger" : "border-accent"}`}>
      <p className="font-semibold">
        {failed === 0
          ? "This result passes every automatic check"
          : `This result fails ${failed} of the ${results.length} automatic checks`}
      </p>
      <ul className="mt-1">
        {results.map(({ index, kind, passed, reason }) => (
          <li key={index} className="flex items-baseline gap-2">
            <StateShape shape={passed ? "disc" : "cross"} className={passed ? "text-accent" : "text-danger"} />
            <span className="min-w-0 [overflow-wrap:anywhere]">
              Criterion {letter(index)} ({NAMES[kind]}): {passed ? "passed." : "failed. "}
              {reason ? <UserText text={reason} /> : null}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-1 max-w-measure text-13 text-muted">
        {failed === 0
          ? "Passing does not mean that the work is good. The requester decides."
          : "The requester decides whether to complete the task or to ask for changes."}
      </p>
    </div>
  );
}
