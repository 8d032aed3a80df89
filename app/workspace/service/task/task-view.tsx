import { Clarifications } from "#components/conversation/conversation.tsx";
import { Copyable } from "#components/copyable.tsx";
import { Fact } from "#components/facts.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/task-price.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { TaskFacts } from "#components/task-facts.tsx";
import { doerOf, type Progress, progressOf, type Transition } from "#components/task-path/progress.ts";
import { Standing } from "#components/task-path/standing.tsx";
import { TaskPath } from "#components/task-path/task-path.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { Freshness } from "../frame/freshness.tsx";
import { ViewLink, viewPath } from "../frame/view-link.tsx";
import { AgreementPart } from "./agreement-part.tsx";
import { canTry } from "./can-try.ts";
import { UnseenTask } from "./claim.tsx";
import { DisputePart } from "./dispute-part.tsx";
import { Evidence } from "./evidence.tsx";
import { FilesPart } from "./files-part.tsx";
import { MessagesPart } from "./messages-part.tsx";
import { MoneyPart } from "./money-part.tsx";
import { PreparedTerms } from "./prepared-terms.tsx";
import { ProposeForm } from "./propose-form.tsx";
import { QuotesPart } from "./quotes-part.tsx";
import { Result } from "./result.tsx";
import { Steps } from "./steps.tsx";
import { SubmitForm } from "./submit-form.tsx";
import { refreshTask, useTask } from "./task-resource.ts";
import type { Shown } from "./whole-task.ts";

/** One task with everything that the identity can read and do. */
export function TaskView({ taskId }: { taskId: string }) {
  const reading = useTask(taskId);
  const { body, refusal } = reading;
  return (
    <>
      <p className="mb-2 text-13">
        <ViewLink href={viewPath("tasks")}>Tasks</ViewLink>
      </p>
      <TaskHeader task={body?.task} />
      {!body && refusal?.code === "not_found" ? (
        <UnseenTask taskId={taskId} />
      ) : (
        <Freshness reading={{ ...reading, refresh: () => refreshTask(taskId) }} />
      )}
      {body ? <TaskBody shown={body} /> : null}
    </>
  );
}

/** The heading is there from the beginning, so that it keeps the focus when the task arrives. */
function TaskHeader({ task }: { task: TaskWire | undefined }) {
  return (
    <header className="mb-4">
      <h2 className="font-semibold text-27 [overflow-wrap:anywhere]">
        {task ? <UserText text={task.title} /> : "Task"}
      </h2>
      {task ? (
        <p className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <Standing task={task} />
          <span className="flex items-baseline gap-2">
            <TaskPrice task={task} worded />
            <ModeBadge mode={task.payment_mode} />
          </span>
          <span className="text-13 text-muted">{task.visibility === "unlisted" ? "Unlisted" : "Listed"}</span>
        </p>
      ) : null}
    </header>
  );
}

function TaskBody({ shown }: { shown: Shown }) {
  const { task, contract, settlement, disputes } = shown;
  const { publicId } = useConnection();
  // The brief comes first until there is an agreement.
  const isEarly = task.agreement === null;
  const hears = disputes.some(({ dispute_id: id }) => id === task.dispute_id);
  return (
    <div className="space-y-10">
      <TaskPath {...pathOf(shown, publicId)} />
      <Reasons shown={shown} />
      {task.dispute_id && !hears ? <DisputeNote disputeId={task.dispute_id} /> : null}
      <Steps task={task} />
      {isEarly ? <Brief task={task} /> : null}
      <FilesPart task={task} />
      <QuotesPart task={task} />
      <PreparedTerms task={task} />
      {canTry(task, "propose") ? <ProposeForm task={task} /> : null}
      {canTry(task, "submit") ? <SubmitForm task={task} /> : null}
      <Result task={task} />
      {/* Who may not read the brief has nothing to ask. */}
      {task.brief === undefined ? null : <MessagesPart task={task} />}
      <DisputePart task={task} disputes={disputes} />
      {contract ? <AgreementPart task={task} contract={contract} /> : null}
      {settlement ? <MoneyPart task={task} settlement={settlement} /> : null}
      {isEarly ? null : <Brief task={task} />}
      <TaskFacts task={task} party={(each) => <Party {...each} />}>
        {task.visibility === "listed" ? (
          <Fact term="Public page">
            <Link href={`/tasks/${task.task_id}`}>Open public page</Link>
          </Fact>
        ) : null}
      </TaskFacts>
      <Evidence taskId={task.task_id} />
    </div>
  );
}

const STEP_WORDS: Record<string, string> = {
  release: "Given back",
  dismiss: "Provider dismissed",
  leave: "Overdue work ended",
  give_up: "Work given up",
  decline: "Terms declined",
  request_changes: "Changes requested",
  cancel: "Cancelled",
  annul: "Ended",
  split: "Split",
  complete: "Completed",
};

/** The reasons that people gave with their steps. */
function Reasons({ shown: { history = [] } }: { shown: Shown }) {
  const given = history.filter(({ reason }) => reason);
  if (given.length === 0) return null;
  return (
    <ul aria-label="Reasons given" className="space-y-2">
      {given.map(({ action, at, by, reason }) => (
        <li key={`${action} ${at}`} className="max-w-measure border-rule border-s-2 ps-4">
          <span className="text-13 text-muted">
            {STEP_WORDS[action] ?? action} by {by ? <UserText text={by.name} /> : "the administrator"},{" "}
            <Timestamp at={at} form="moment" />
          </span>
          <PostText text={reason ?? ""} plain />
        </li>
      ))}
    </ul>
  );
}

function DisputeNote({ disputeId }: { disputeId: string }) {
  return (
    <p className="flex max-w-measure items-baseline gap-2 text-17">
      <StateShape shape="ring" className="text-danger" />
      <span className="min-w-0">
        A dispute is open: <Copyable value={disputeId} label="dispute ID" />. The task cannot be completed until the
        administrator resolves it. Opening a dispute refunds nothing and closes no checkout.
      </span>
    </p>
  );
}

function Brief({ task }: { task: TaskWire }) {
  return (
    <section aria-labelledby="brief">
      <h2 id="brief" className="mb-3 border-ink border-t-2 pt-3 font-semibold text-21">
        Brief
      </h2>
      <div className="text-17">
        <PostText text={task.brief ?? task.summary} />
      </div>
      {task.brief === undefined ? (
        <p className="mt-2 max-w-measure text-13 text-muted">
          This is the beginning of the brief. The parties can read all of it, and so can verified identities while the
          task is open.
        </p>
      ) : null}
      <Clarifications task={task} />
    </section>
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
function pathOf(
  { task, history, settlement }: Shown,
  readerId: string | null,
): { history: Transition[]; progress: Progress } {
  const transitions = (history ?? []).map(
    ({ action, state, at, by }): Transition => ({
      state,
      at,
      by: doerOf(action, by?.name ?? null),
      action,
    }),
  );
  // The history may lag behind: a step was just taken, or the task expired before the sweep recorded it.
  if (transitions.at(-1)?.state !== task.state) {
    transitions.push({
      action: task.state === "expired" ? "expire" : "lapse",
      state: task.state,
      at: task.state === "expired" ? task.expires_at : task.updated_at,
      by: null,
    });
  }
  return { history: transitions, progress: progressOf(task, { readerId, funding: settlement?.funding }) };
}
