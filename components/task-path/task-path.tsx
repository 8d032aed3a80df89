import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { StateShape, TONE_CLASS } from "../state-label/state-shape.tsx";
import { STATES } from "../state-label/states.ts";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";
import {
  clockWords,
  type Progress,
  type Return,
  STEP_WORDS,
  type Step,
  standingOf,
  stepsOf,
  type Transition,
  waitingSentence,
} from "./progress.ts";

/** A dispute to show beneath the steps; `openedBy` is the name of the party, which only administrators read here. */
type DisputeMark = Pick<DisputeWire, "state" | "resolution" | "created_at"> & { openedBy?: string };

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
      {STEP_WORDS[step.action] ?? "Sent back"}
      {step.by ? ` by ${step.by}` : ""}, <Timestamp at={step.at} form="moment" />
    </li>
  );
}

/** The running clocks in words. Visitors do not learn what stops one. */
export function Clocks({ progress }: { progress: Progress }) {
  const { clocks, held, disputed } = progress;
  return clocks.map((each) => {
    const isOver = new Date(each.ends_at) <= new Date();
    const { who, task, next } = clockWords(each, isOver, progress);
    const isPlural = who === "You" || who.includes(" and ");
    return (
      <p key={each.clock} className="mt-2 max-w-measure">
        {who} {isOver ? "had" : isPlural ? "have" : "has"} until <Timestamp at={each.ends_at} form="moment" /> (UTC) to{" "}
        {task}. {held || disputed ? `This deadline has no effect during the ${disputed ? "dispute" : "hold"}.` : next}
      </p>
    );
  });
}

/**
 * A task's states in a line: when each was reached, who acted, and whom the task is waiting for, where the page does not say that above.
 * Times are in UTC.
 */
export function TaskPath({
  history,
  progress,
  dispute = null,
}: {
  history: readonly Transition[];
  progress?: Progress;
  dispute?: DisputeMark | null;
}) {
  const { steps, returns } = stepsOf(history);
  const sentence = progress ? waitingSentence(progress) : null;
  return (
    <div className="path-frame">
      <ol className="path">
        {steps.map((step) => (
          <Stop key={step.state} step={step} />
        ))}
      </ol>
      {sentence ? <p className="mt-5 text-17">{sentence}</p> : null}
      {progress ? <Clocks progress={progress} /> : null}
      {dispute ? (
        <p className="mt-2 flex items-baseline gap-2">
          <StateShape
            shape={dispute.state === "open" ? "ring" : "disc"}
            className={dispute.state === "open" ? "text-danger" : "text-ink"}
          />
          <span>
            {dispute.state === "open"
              ? "Dispute open"
              : dispute.resolution === "split"
                ? "Dispute resolved by a split"
                : `Dispute resolved for the ${dispute.resolution ?? "parties"}`}
            : opened {dispute.openedBy ? `by ${dispute.openedBy}, ` : ""}
            <Timestamp at={dispute.created_at} form="moment" />. A dispute does not refund anything.
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
