import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/button.tsx";
import { Obstacles } from "#components/obstacles.tsx";
import { doerOf, type Progress, STEP_WORDS, waitingSentence } from "#components/task-path/progress.ts";
import { Clocks, Standing } from "#components/task-path/task-path.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { relativeWords } from "#components/timestamp/words.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { useNow } from "../overview/health-line.tsx";
import { useQuotes } from "./quotes-part.tsx";
import { StepButton } from "./step-button.tsx";
import { type Action, ALTERNATIVES, actionWord, askedOf, isTooEarly, isTriable, isWorthShowing } from "./steps.ts";
import type { Shown } from "./whole-task.ts";

/**
 * What the moment asks for, which stays in view: where the task stands, whose turn it is and until when, the step's button, and the other
 * steps in a menu.
 */
export function Bar({ shown, progress, lead }: { shown: Shown; progress: Progress; lead: (form: string) => void }) {
  const { task, contract } = shown;
  const asked = askedOf(task);
  const offered = asked && isTriable(asked) ? asked.action : undefined;
  const other = offered && ALTERNATIVES[offered];
  const beside = other && task.available_actions.find((each) => each.action === other && isTriable(each))?.action;
  const { isRequester, reading } = useQuotes(task);
  const hasQuoted = !isRequester && reading.body?.quotes.some(({ state }) => state === "live");
  const sentence = useRef<HTMLParagraphElement>(null);
  const after = () => sentence.current?.focus();
  const shared = { task, contract, lead, after };
  const button = (action: Action, primary: boolean, label?: string) => (
    <StepButton key={action} {...shared} action={action} primary={primary} label={label} />
  );
  return (
    <>
      <section aria-labelledby="steps" className="cockpit">
        <div className="min-w-0 flex-1">
          <h3 id="steps" className="sr-only">
            Next steps
          </h3>
          <p className="flex flex-wrap items-baseline gap-x-3 text-13 text-muted">
            <Standing task={task} />
            <Until progress={progress} task={task} />
          </p>
          <div role="status">
            <p ref={sentence} tabIndex={-1} className="text-17">
              {waitingSentence(progress) ?? "The task has ended."}
            </p>
            <Changed history={shown.history} />
          </div>
          {asked && !offered ? (
            <p className="text-danger">
              {actionWord(asked.action)} is blocked. <a href="#blocked">What blocks it</a>
            </p>
          ) : null}
        </div>
        <div className="cockpit-acts">
          {offered ? button(offered, !hasQuoted, hasQuoted ? "Replace your quote" : undefined) : null}
          {beside ? button(beside, false) : null}
          <More task={task} except={[asked?.action, beside]}>
            {(action) => button(action, false)}
          </More>
        </div>
      </section>
      <Notes progress={progress} asked={asked} offered={offered !== undefined} />
    </>
  );
}

/** When the running time ends, and how much of it is left. */
function Until({ task, progress }: { task: TaskWire; progress: Progress }) {
  const now = useNow();
  const [clock] = task.clocks;
  if (progress.disputed || progress.held) return null;
  const end = task.state === "open" ? task.expires_at : clock?.ends_at;
  if (!end) return null;
  const isOver = Date.parse(end) <= now;
  return (
    <span>
      {isOver ? "ended " : "ends "}
      {isNear(end, now) ? (
        <>
          <span className="tabular-nums">{relativeWords(new Date(end), new Date(now))}</span>,{" "}
        </>
      ) : null}
      <Timestamp at={end} form="moment" /> UTC
    </span>
  );
}

/** Whether words such as `in 6 days` say more than the date. */
const isNear = (end: string, now: number) => Math.abs(Date.parse(end) - now) < 7 * 86_400_000;

/** The step that either party took while this page was open. */
function Changed({ history = [] }: Pick<Shown, "history">) {
  const { publicId } = useConnection();
  const known = useRef(history.length);
  const last = history.at(-1);
  if (!last || history.length <= known.current) return null;
  const doer = last.by?.public_id === publicId ? "you" : (doerOf(last.action, last.by?.name ?? null) ?? "the service");
  return (
    <p className="text-13 text-muted">
      Just changed: {STEP_WORDS[last.action] ?? last.action} by <UserText text={doer} />.
    </p>
  );
}

/** Beneath the bar: what its clock means, and what blocks the step. */
function Notes({
  progress,
  asked,
  offered,
}: {
  progress: Progress;
  asked: TaskWire["available_actions"][number] | undefined;
  offered: boolean;
}) {
  return (
    <div className="mt-3 space-y-3">
      <Clocks progress={progress} />
      {asked && asked.blocked_by.length > 0 ? (
        <div id="blocked" className="border-danger border-s-2 ps-4">
          <p>
            <strong className="font-semibold">{actionWord(asked.action)}</strong>{" "}
            {offered ? "is subject to owner limits." : "is blocked."}
          </p>
          <Obstacles obstacles={asked.blocked_by} />
        </div>
      ) : null}
    </div>
  );
}

// Steps with a section of their own, which is always there.
const IN_SECTIONS: readonly Action[] = ["message", "clarify"];
const LAST: Action = "dispute";

/** The other steps, in a menu: those that are possible, those that will be, and what blocks the rest. */
function More({
  task,
  except,
  children: button,
}: {
  task: TaskWire;
  except: readonly (Action | undefined)[];
  children: (action: Action) => ReactNode;
}) {
  const { open, frame, toggle } = useDisclosure();
  const steps = task.available_actions
    .filter((each) => ![...except, ...IN_SECTIONS].includes(each.action) && isWorthShowing(task, each))
    .toSorted((one, other) => Number(one.action === LAST) - Number(other.action === LAST));
  if (steps.length === 0) return null;
  return (
    <div ref={frame} className="cockpit-more">
      <Button aria-expanded={open} aria-controls="more-steps" aria-label="More steps" onClick={toggle}>
        More
      </Button>
      <ul id="more-steps" hidden={!open} className="cockpit-menu">
        {steps.map((each) => (
          <li key={each.action}>
            {isTriable(each) ? button(each.action) : null}
            {isTooEarly(each) ? (
              <p className="text-muted">
                {actionWord(each.action)}: possible from <Timestamp at={each.not_before ?? ""} form="moment" />.
              </p>
            ) : null}
            {isTriable(each) || isTooEarly(each) ? null : (
              <>
                <p>
                  <strong className="font-semibold">{actionWord(each.action)}</strong> is blocked.
                </p>
                <Obstacles obstacles={each.blocked_by} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A panel that its button opens. Escape, a click elsewhere or leaving it with the keyboard closes it; a dialog in it keeps it open. */
function useDisclosure() {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const isOutside = (target: EventTarget | null) => target instanceof Node && !frame.current?.contains(target);
    const leave = ({ target }: Event) => {
      if (isOutside(target)) setOpen(false);
    };
    const leaveByKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || frame.current?.querySelector("dialog[open]")) return;
      setOpen(false);
      frame.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    document.addEventListener("keydown", leaveByKey);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
      document.removeEventListener("keydown", leaveByKey);
    };
  }, [open]);
  return { open, frame, toggle: () => setOpen(!open) };
}
