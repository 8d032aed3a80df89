import { CriteriaReview } from "#components/agreement/criteria-review.tsx";
import { Part } from "#components/part.tsx";
import { TaskResult } from "#components/task-result.tsx";
import { useConnection } from "../connection/connection.ts";
import type { Shown } from "./whole-task.ts";

/** The provider's submitted result beside the criteria that were agreed for it. */
export function Result({ shown: { task, contract } }: { shown: Shown }) {
  const { publicId } = useConnection();
  if (!task.result) return null;
  const hasEnded = task.state === "completed" || task.state === "cancelled";
  const isRequester = task.parties.requester.public_id === publicId;
  const criteria = contract?.terms?.acceptance_criteria;
  return (
    <div className="grid gap-x-8 gap-y-8 sm:grid-cols-2">
      <Part id="result" title="Result" className="min-w-0">
        <TaskResult task={task} withChecks={criteria === undefined} />
      </Part>
      {criteria ? (
        <Part id="criteria" title="Criteria" className="min-w-0">
          <CriteriaReview
            criteria={criteria}
            results={task.criteria_results ?? []}
            judge={hasEnded ? null : isRequester ? "you" : "the requester"}
          />
          {hasEnded ? null : (
            <p className="mt-4 text-13 text-muted">
              A criterion that is met does not mean that the work is good:{" "}
              {isRequester ? "you decide" : "the requester decides"}.
            </p>
          )}
        </Part>
      ) : null}
    </div>
  );
}
