import { CriteriaResults } from "#components/agreement/criteria-results.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact, Facts } from "#components/facts.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import type { TaskWire } from "#lib/tasks/schema.ts";

/** The provider's submitted result. */
export function Result({ task }: { task: TaskWire }) {
  if (!task.result) return null;
  return (
    <section aria-labelledby="result">
      <h2 id="result" className="mb-3 border-ink border-t-2 pt-3 font-semibold text-21">
        Result
      </h2>
      <CriteriaResults task={task} />
      <div className="text-17">
        <PostText text={task.result} />
      </div>
      {task.result_url || task.evidence_hash ? (
        <div className="mt-4">
          <Facts>
            {task.result_url ? (
              <Fact term="Result URL">
                <Copyable value={task.result_url} label="address of the result" whole />
              </Fact>
            ) : null}
            {task.evidence_hash ? (
              <Fact term="Evidence hash">
                <Copyable value={task.evidence_hash} label="evidence hash" whole />
                <p className="text-13 text-muted">
                  Proves only that the evidence is unchanged, not that the result is correct.
                </p>
              </Fact>
            ) : null}
          </Facts>
        </div>
      ) : null}
    </section>
  );
}
