import type { TermsWire } from "#lib/contracts/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { StateShape } from "../state-label/state-shape.tsx";
import type { Shape } from "../state-label/states.ts";
import { UserText } from "../user-text/user-text.tsx";
import { CriterionText } from "./criterion-text.tsx";

type Criterion = TermsWire["acceptance_criteria"][number];
type Result = NonNullable<TaskWire["criteria_results"]>[number];
type Verdict = { words: string; shape: Shape; tone: string };

/** The agreed criteria, each with what the service found in the submitted result, or who judges it. */
export function CriteriaReview({
  criteria,
  results,
  judge,
}: {
  criteria: readonly Criterion[];
  results: readonly Result[];
  /** Who judges what the service does not check; null once nobody does. */
  judge: "you" | "the requester" | null;
}) {
  if (criteria.length === 0)
    return (
      <p className="text-muted">
        No criteria were agreed{judge ? `: ${judge} ${judge === "you" ? "decide" : "decides"}` : ""}.
      </p>
    );
  return (
    <ol className="list-[lower-alpha] space-y-3 ps-6">
      {criteria.map((criterion, place) => {
        const result = results.find(({ index }) => index === place);
        const { words, shape, tone } = verdictOf(criterion, result, judge);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is frozen, and its lines may repeat
          <li key={place} className="[overflow-wrap:anywhere]">
            <p className="inline-flex items-baseline gap-1.5 font-semibold">
              <StateShape shape={shape} className={tone} />
              {words}
            </p>
            <CriterionText criterion={criterion} />
            {result?.reason ? (
              <p className="text-13 text-muted">
                <UserText text={result.reason} />
              </p>
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

function verdictOf(criterion: Criterion, result: Result | undefined, judge: string | null): Verdict {
  if (result)
    return result.passed
      ? { words: "Met", shape: "disc", tone: "text-accent" }
      : { words: "Not met", shape: "cross", tone: "text-danger" };
  if (typeof criterion !== "string" || judge === null)
    return { words: "Not checked by the service", shape: "dash", tone: "text-muted" };
  return { words: `For ${judge} to judge`, shape: "ring", tone: "text-ink" };
}
