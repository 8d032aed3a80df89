import type { DisputeWire } from "#lib/tasks/schema.ts";
import { StateShape } from "../state-label/state-shape.tsx";
import { STATES } from "../state-label/states.ts";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import { type Arrival, awaited, courseOf, type Return, type Standing, type Step } from "./course.ts";

/** A dispute beside the path; `openedBy` is the name of the party. */
export type DisputeMark = Pick<DisputeWire, "state" | "resolution" | "created_at"> & { openedBy: string };

const BACK: Record<string, string> = {
  open: "Released",
  claimed: "Terms declined",
  in_progress: "Changes asked for",
};

function Marker({ status }: { status: Step["status"] }) {
  if (status === "done") return <StateShape shape="disc" className="text-ink" />;
  if (status === "stopped") return <StateShape shape="cross" className="text-ink" />;
  if (status === "ahead") return <StateShape shape="ring" className="text-edge" />;
  return (
    <svg viewBox="0 0 18 18" width={18} height={18} aria-hidden="true" focusable="false" className="-m-1 text-accent">
      <circle cx={9} cy={9} r={7.75} fill="var(--paper)" stroke="currentColor" strokeWidth={2} />
      <circle cx={9} cy={9} r={3.5} fill="currentColor" />
    </svg>
  );
}

function Stop({ step }: { step: Step }) {
  const ahead = step.status === "ahead";
  return (
    <li
      aria-current={step.status === "here" ? "step" : undefined}
      className={`path-step ${ahead ? "path-ahead text-muted" : ""}`}
    >
      <span className="path-marker">
        <Marker status={step.status} />
      </span>
      <span className={`block text-13 ${step.status === "here" || step.status === "stopped" ? "font-semibold" : ""}`}>
        {STATES.task[step.state].word}
        {ahead ? <span className="sr-only">, not yet</span> : null}
      </span>
      {step.at ? (
        <span className="block text-13 text-muted">
          <Timestamp at={step.at} form="moment" />
          {step.by ? (
            <span title={step.by} className="path-by">
              <span className="path-dot"> · </span>
              <UserText text={step.by} />
            </span>
          ) : null}
        </span>
      ) : null}
    </li>
  );
}

function Returned({ step }: { step: Return }) {
  return (
    <li>
      {BACK[step.to] ?? "Taken back"}
      {step.by ? ` by ${step.by}` : ""}, <Timestamp at={step.at} form="moment" />
    </li>
  );
}

/** A task's course as a line of states: when each was reached, by whom, and for whom it waits now. Times are in UTC. */
export function TaskPath({
  history,
  standing,
  dispute = null,
}: {
  history: readonly Arrival[];
  standing: Standing;
  dispute?: DisputeMark | null;
}) {
  const { steps, returns } = courseOf(history);
  const sentence = awaited(standing);
  return (
    <div className="path-frame">
      <ol className="path">
        {steps.map((step) => (
          <Stop key={step.state} step={step} />
        ))}
      </ol>
      {sentence ? <p className="mt-5 text-17">{sentence}</p> : null}
      {dispute ? (
        <p className="mt-2 flex items-baseline gap-2">
          <StateShape
            shape={dispute.state === "open" ? "ring" : "disc"}
            className={dispute.state === "open" ? "text-danger" : "text-ink"}
          />
          <span>
            {dispute.state === "open" ? "Dispute open" : `Dispute resolved for the ${dispute.resolution ?? "parties"}`}:
            raised by {dispute.openedBy}, <Timestamp at={dispute.created_at} form="moment" />. A dispute refunds
            nothing.
          </span>
        </p>
      ) : null}
      {returns.length > 0 ? (
        <ul className="mt-2 text-13 text-muted">
          {returns.map((step) => (
            <Returned key={step.at} step={step} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}
