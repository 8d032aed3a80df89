import { type ReactNode, useState } from "react";
import { CriteriaReview } from "#components/agreement/criteria.tsx";
import { Clarifications } from "#components/conversation/conversation.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/money.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import type { Transition } from "#components/task-path/progress.ts";
import { TaskResult } from "#components/task-result.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { TaskWire } from "#lib/tasks/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { Freshness } from "../frame/freshness.tsx";
import { ViewLink, viewPath } from "../frame/view-link.tsx";
import { AgreementPart } from "./agreement-part.tsx";
import { Bar } from "./bar.tsx";
import { DisputePart } from "./dispute-part.tsx";
import { FilesPart } from "./files-part.tsx";
import { HistoryPart, LastReason, pathOf } from "./history-part.tsx";
import { MessagesPart } from "./messages-part.tsx";
import { MoneyPart } from "./money-part.tsx";
import { PreparedTerms } from "./prepared-terms.tsx";
import { ProposeForm } from "./propose-form.tsx";
import { QuotesPart } from "./quotes-part.tsx";
import { Claim } from "./step-button.tsx";
import { askedOf, canTry, SECTIONS, type Section, STEPS } from "./steps.ts";
import { SubmitForm } from "./submit-form.tsx";
import { refreshTask, useTask } from "./task-resource.ts";
import { useSection } from "./use-section.ts";
import { isParty, type Shown } from "./whole-task.ts";

/** One task with everything that the identity can read and do. */
export function TaskView({ taskId }: { taskId: string }) {
  const reading = useTask(taskId);
  const { body, refusal } = reading;
  const isUnseen = !body && refusal?.code === "not_found";
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-13">
        <ViewLink href={viewPath("tasks")}>Tasks</ViewLink>
        {isUnseen ? null : <Freshness reading={{ ...reading, refresh: () => refreshTask(taskId) }} />}
      </div>
      <TaskHeader task={body?.task} />
      {isUnseen ? <UnseenTask taskId={taskId} /> : null}
      {body ? <TaskBody shown={body} /> : null}
    </>
  );
}

/** The heading is there from the beginning, so that it keeps the focus when the task arrives. */
function TaskHeader({ task }: { task: TaskWire | undefined }) {
  return (
    <header className="mb-3">
      <h2
        title={task?.title}
        className="line-clamp-2 font-semibold text-21 [overflow-wrap:anywhere] sm:line-clamp-3 sm:text-27"
      >
        {task ? <UserText text={task.title} /> : "Task"}
      </h2>
      {task ? (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-4">
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

/** A task that this identity cannot read: it does not exist, or it is unlisted and not yet claimed. */
function UnseenTask({ taskId }: { taskId: string }) {
  return (
    <div className="space-y-4">
      <p className="max-w-measure text-17">
        Task not found. If a requester gave you the ID of an unlisted task, you can claim it unseen. You can read it
        once you have claimed it, and give it back if you don’t want it.
      </p>
      <Claim taskId={taskId} unseen />
    </div>
  );
}

const TITLES: Record<Section, string> = {
  work: "Work",
  agreement: "Agreement",
  messages: "Messages",
  money: "Money",
  files: "Files",
  history: "History",
  dispute: "Dispute",
};

function TaskBody({ shown }: { shown: Shown }) {
  const { task } = shown;
  const { publicId } = useConnection();
  const { history, progress } = pathOf(shown, publicId);
  const known = SECTIONS.filter((each) => isKnown(each, shown));
  const asked = askedOf(task);
  const wanted = (asked && STEPS[asked.action].section) ?? (task.disputed ? "dispute" : undefined);
  const { section, lead } = useSection(wanted, known);
  return (
    <>
      <Bar shown={shown} progress={progress} lead={lead} />
      <LastReason shown={shown} />
      <nav aria-label="Sections of the task" className="tabs mt-5 mb-6">
        {known.map((each) => (
          <a key={each} href={`#${each}`} aria-current={each === section ? "true" : undefined} className="tab">
            {TITLES[each]}
          </a>
        ))}
      </nav>
      {known.map((each) => (
        <SectionPanel key={each} shown={shown} section={each} isOpen={each === section} history={history} />
      ))}
    </>
  );
}

/** What those who are no party of the task have a section for: its work, questions about it, and its history. */
function isKnown(section: Section, { task, disputes }: Shown): boolean {
  if (section === "dispute") return disputes.length > 0;
  // A reader who can't see the brief has nothing to ask.
  if (section === "messages") return task.brief !== undefined;
  return section === "work" || section === "history" || isParty(task);
}

/**
 * One section. It stays in the document when another is open, so that nothing in it is lost; messages are read only once they are shown,
 * because reading marks them as read.
 */
function SectionPanel({
  shown,
  section,
  isOpen,
  history,
}: {
  shown: Shown;
  section: Section;
  isOpen: boolean;
  history: Transition[];
}) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <div hidden={!isOpen} className="space-y-10">
      {section === "messages" && !wasOpen ? null : <Content section={section} shown={shown} history={history} />}
    </div>
  );
}

function Content({ section, shown, history }: { section: Section; shown: Shown; history: Transition[] }) {
  const { task, contract, settlement, disputes } = shown;
  switch (section) {
    case "work":
      return <Work shown={shown} />;
    case "agreement":
      return (
        <>
          {canTry(task, "propose") ? <ProposeForm task={task} /> : null}
          {contract ? <AgreementPart task={task} contract={contract} /> : null}
          {contract || canTry(task, "propose") ? null : (
            <Nothing>There is no agreement yet. The requester proposes one once the task is claimed.</Nothing>
          )}
        </>
      );
    case "messages":
      return <MessagesPart task={task} />;
    case "money":
      return settlement ? (
        <MoneyPart task={task} settlement={settlement} />
      ) : (
        <Nothing>Nothing is owed yet. A settlement is recorded when both parties have accepted an agreement.</Nothing>
      );
    case "files":
      return <FilesPart task={task} />;
    case "dispute":
      return <DisputePart task={task} disputes={disputes} />;
    case "history":
      return <HistoryPart shown={shown} history={history} />;
  }
}

/** What there is to do first: the result to review, or its form; then what it is about. */
function Work({ shown }: { shown: Shown }) {
  const { task } = shown;
  return (
    <>
      {canTry(task, "submit") ? <SubmitForm task={task} /> : null}
      <Result shown={shown} />
      {askedOf(task)?.action === "choose_quote" ? <QuotesPart task={task} /> : null}
      <Brief task={task} />
      {askedOf(task)?.action === "choose_quote" ? null : <QuotesPart task={task} />}
      <PreparedTerms task={task} />
    </>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="max-w-measure text-17 text-muted">{children}</p>;
}

function Brief({ task }: { task: TaskWire }) {
  return (
    <Part id="brief" title="Brief" className="">
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
    </Part>
  );
}

/** The provider's submitted result beside the criteria that were agreed for it. */
function Result({ shown: { task, contract } }: { shown: Shown }) {
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
