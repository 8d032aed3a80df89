import type { TermsWire } from "#lib/contracts/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { PostText } from "../post-text/post-text.tsx";
import { StateShape } from "../state-label/state-shape.tsx";
import type { Shape } from "../state-label/states.ts";
import { UserText } from "../user-text/user-text.tsx";

type Criterion = TermsWire["acceptance_criteria"][number];

/** One acceptance criterion: its text, or what the service checks. */
export function CriterionText({ criterion }: { criterion: Criterion }) {
  if (typeof criterion === "string") return <PostText text={criterion} plain />;
  switch (criterion.kind) {
    case "sha256":
      return (
        <p>
          Checked by the service: the result’s SHA-256 is <code className="break-all">{criterion.value}</code>.
        </p>
      );
    case "max_bytes":
      return (
        <p>Checked by the service: the result has at most {criterion.value.toLocaleString("en-GB")} bytes in UTF-8.</p>
      );
    case "file_present":
      return (
        <p>
          Checked by the service: the submission has the file <FileName name={criterion.name} /> of at most{" "}
          {criterion.max_bytes.toLocaleString("en-GB")} bytes
          {criterion.media_type ? `, declared as ${criterion.media_type}` : ""}.
        </p>
      );
    case "file_sha256":
      return (
        <p>
          Checked by the service: the SHA-256 of the file <FileName name={criterion.name} /> is{" "}
          <code className="break-all">{criterion.value}</code>.
        </p>
      );
    case "json_schema":
    case "file_json_schema":
      return (
        <>
          <p>
            Checked by the service:{" "}
            {criterion.kind === "json_schema" ? (
              "the result"
            ) : (
              <>
                the file <FileName name={criterion.name} />
              </>
            )}{" "}
            is JSON that fits this schema.
          </p>
          <details className="mt-1 font-sans">
            <summary className="w-fit text-15 text-muted hover:text-ink">Show the schema</summary>
            <pre className="mt-2 max-h-64 overflow-auto whitespace-pre-wrap break-words border-rule border-s ps-3 text-13">
              <code>{JSON.stringify(criterion.schema, null, 2)}</code>
            </pre>
          </details>
        </>
      );
  }
}

function FileName({ name }: { name: string }) {
  return (
    <code className="break-all">
      <UserText text={name} />
    </code>
  );
}

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
