import { useState } from "react";
import { Button } from "#components/button.tsx";
import { download } from "#components/download.ts";
import { Fact } from "#components/facts.tsx";
import { type Refusal, RefusalNote } from "#components/form/refusal.tsx";
import { Link } from "#components/link.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { TaskFacts } from "#components/task-facts.tsx";
import {
  doerOf,
  type Progress,
  progressOf,
  STEP_WORDS,
  type Transition,
  upToNow,
} from "#components/task-path/progress.ts";
import { TaskPath } from "#components/task-path/task-path.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { read } from "../connection/service-call.ts";
import type { Shown } from "./whole-task.ts";

/** What has happened: the path, the reasons given, the facts on record, and the evidence for all of it. */
export function HistoryPart({ shown, history }: { shown: Shown; history: Transition[] }) {
  const { task } = shown;
  return (
    <>
      <Part id="path" title="Progress" className="">
        <TaskPath history={history} />
      </Part>
      <Reasons shown={shown} />
      <TaskFacts task={task} party={(each) => <Party {...each} />}>
        {task.visibility === "listed" ? (
          <Fact term="Public page">
            <Link href={`/tasks/${task.task_id}`}>Open public page</Link>
          </Fact>
        ) : null}
      </TaskFacts>
      <Evidence taskId={task.task_id} />
    </>
  );
}

/** Why the task stands where it does, if somebody gave a reason with the last step. */
export function LastReason({ shown: { history = [] } }: { shown: Shown }) {
  const last = history.at(-1);
  return last?.reason ? (
    <div className="mt-3">
      <Reason step={last} />
    </div>
  ) : null;
}

type RecordedStep = NonNullable<Shown["history"]>[number];

function Reason({ step: { action, at, by, reason } }: { step: RecordedStep }) {
  return (
    <div className="max-w-measure border-rule border-s-2 ps-4">
      <span className="text-13 text-muted">
        {STEP_WORDS[action] ?? action} by {by ? <UserText text={by.name} /> : "the administrator"},{" "}
        <Timestamp at={at} form="moment" />
      </span>
      <PostText text={reason ?? ""} plain />
    </div>
  );
}

/** The reasons that people gave with their steps. */
function Reasons({ shown: { history = [] } }: { shown: Shown }) {
  const given = history.filter(({ reason }) => reason);
  if (given.length === 0) return null;
  return (
    <ul aria-label="Reasons given" className="space-y-2">
      {given.map((step) => (
        <li key={`${step.action} ${step.at}`}>
          <Reason step={step} />
        </li>
      ))}
    </ul>
  );
}

function Party({ name, verified }: TaskWire["parties"]["requester"]) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <UserText text={name} className="[overflow-wrap:anywhere]" />
      <span className="text-13 text-muted">{verified ? "domain verified" : "domain not verified"}</span>
    </span>
  );
}

/** The path of a task as a party sees it. */
export function pathOf(
  { task, history = [], settlement }: Shown,
  readerId: string | null,
): { history: Transition[]; progress: Progress } {
  const steps = history.map(
    ({ action, state, at, by }): Transition => ({ action, state, at, by: doerOf(action, by?.name ?? null) }),
  );
  return { history: upToNow(steps, task), progress: progressOf(task, { readerId, funding: settlement?.funding }) };
}

/** Downloads the evidence of a task as a party gets it, with the brief, the terms and the result. */
function Evidence({ taskId }: { taskId: string }) {
  const [state, setState] = useState<"idle" | "reading" | "done">("idle");
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  async function save() {
    if (state === "reading") return;
    setState("reading");
    setRefusal(null);
    const outcome = await read<object>("jobs/evidence.php", { task_id: taskId });
    setState(outcome.ok ? "done" : "idle");
    if (!outcome.ok) return setRefusal(outcome.refusal);
    download(`evidence-${taskId}.json`, [JSON.stringify(outcome.body, null, 2)], "application/json");
  }

  return (
    <Part id="evidence" title="Evidence" className="">
      <p className="mt-1 max-w-measure">
        A file that proves to anyone, offline, what was recorded about this task.{" "}
        <Link href="/verify">Verify a file</Link>
      </p>
      <p className="mt-3 flex items-center gap-4">
        <Button onClick={save} pending={state === "reading"}>
          Download evidence
        </Button>
        <span role="status" className="text-13 text-muted">
          {state === "reading" ? "Reading…" : state === "done" ? "Downloaded." : ""}
        </span>
      </p>
      <RefusalNote refusal={refusal} className="mt-3" />
    </Part>
  );
}
