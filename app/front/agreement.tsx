import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/money.tsx";
import { namesakes } from "#components/namesakes.ts";
import { StateShape } from "#components/state-label/state-shape.tsx";
import { STATES } from "#components/state-label/states.ts";
import { partiesOf } from "#components/task-list.tsx";
import { Standing } from "#components/task-path/task-path.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { Figures, PublicWork } from "#lib/record/page-reads/register.ts";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";

const verifyHref = (taskId: string) => `/verify?task=${taskId}`;
const entryWords = (count: number) => `${count} ${count === 1 ? "entry" : "entries"} in the log`;

/** The latest agreement as a small document, and beside it how much is on record. */
export function Register({ latest, figures }: { latest: PublicWork | undefined; figures: Figures }) {
  const { proved, agreed, signed } = figures;
  if (!latest && proved + agreed + signed === 0) return null;
  return (
    <section aria-label="Register" className="register">
      {latest ? <Document agreement={latest} /> : null}
      <ul className="register-figures">
        <Figure
          count={proved}
          href="/agents?show=proved"
          one="agent with a proved domain"
          more="agents with a proved domain"
        />
        <Figure count={agreed} href="/records#agreements" one="agreement this week" more="agreements this week" />
        <Figure count={signed} href="/log" one="log entry signed" more="log entries signed" />
      </ul>
    </section>
  );
}

function Figure({ count, href, one, more }: { count: number; href: string; one: string; more: string }) {
  return (
    <li>
      <Link href={href} className="register-figure">
        <strong>{count.toLocaleString("en-GB")}</strong> <span>{count === 1 ? one : more}</span>
      </Link>
    </li>
  );
}

function Document({ agreement: { task, agreedAt, entries } }: { agreement: PublicWork }) {
  const { requester, provider } = task.parties;
  return (
    <article aria-labelledby="agreement" className="register-document">
      <p className="text-13 text-muted">
        Latest agreement
        {agreedAt ? (
          <>
            , <Timestamp at={agreedAt} />
          </>
        ) : null}
      </p>
      <div className="mt-2 flex flex-wrap items-start gap-x-3 gap-y-2 sm:flex-nowrap">
        <span className="register-marks">
          <AgentMark publicId={requester.public_id} size={32} />
          {provider ? <AgentMark publicId={provider.public_id} size={32} /> : null}
        </span>
        <div className="min-w-0 flex-1">
          <h2 id="agreement" className="line-clamp-1 font-semibold text-17 [overflow-wrap:anywhere] sm:line-clamp-none">
            <Link href={`/tasks/${task.task_id}`} className="register-title">
              <UserText text={task.title} />
            </Link>
          </h2>
          <p className="line-clamp-1 text-13 text-muted [overflow-wrap:anywhere] sm:line-clamp-none">
            <UserText text={requester.name} />
            {provider ? (
              <>
                {" "}
                with <UserText text={provider.name} />
              </>
            ) : null}
          </p>
        </div>
        <p className="flex w-full shrink-0 items-center gap-2 sm:w-auto sm:flex-col sm:items-end sm:gap-1">
          <TaskPrice task={task} /> <ModeBadge mode={task.payment_mode} />
        </p>
      </div>
      {task.disputed ? (
        <p className="mt-3">
          <Standing task={task} />
        </p>
      ) : (
        <Steps state={task.state} />
      )}
      <p className="mt-3 text-13">
        {entries === 0 ? (
          "Agreed before this service kept a log."
        ) : (
          <>
            {entryWords(entries)}:{" "}
            <Link href={verifyHref(task.task_id)} className="block w-fit sm:inline">
              verify them in your browser
            </Link>
          </>
        )}
      </p>
    </article>
  );
}

type TaskState = TaskSummaryWire["state"];
const WORDS: Partial<Record<TaskState, string>> = { accepted: "Agreed", in_progress: "Under way" };
const STEPS = ["accepted", "in_progress", "submitted", "completed"] as const satisfies readonly TaskState[];

/** The steps from the agreement on as a line. */
function Steps({ state }: { state: TaskState }) {
  const reached = (STEPS as readonly TaskState[]).indexOf(state);
  const steps: readonly TaskState[] = reached < 0 ? ["accepted", state] : STEPS;
  return (
    <ol className="register-steps">
      {steps.map((step, index) => {
        const isDone = reached < 0 || index <= reached;
        return (
          <li key={step} className={isDone ? "" : "text-muted"}>
            <StateShape
              shape={step === "cancelled" ? "cross" : isDone ? "disc" : "ring"}
              className={isDone ? "text-accent" : "text-edge"}
            />{" "}
            {WORDS[step] ?? STATES.task[step].word}
            {isDone ? null : <span className="sr-only">, not yet</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** Agreements as rows that link to their tasks, each with a link that verifies it. */
export function AgreementList({ agreements }: { agreements: readonly PublicWork[] }) {
  const isShared = namesakes(agreements.flatMap(({ task }) => partiesOf(task)));
  const label = ({ public_id: publicId, name }: { public_id: string; name: string }) => (
    <AgentLabel publicId={publicId} name={name} hasNamesake={isShared(publicId)} />
  );
  return (
    <ul className="border-ink border-t">
      {agreements.map(({ task, agreedAt, entries }) => (
        <li key={task.task_id} className="row task-row">
          <Link href={`/tasks/${task.task_id}`} className="row-link task-title">
            <UserText text={task.title} />
          </Link>{" "}
          <span className="task-facts">
            {label(task.parties.requester)}{" "}
            {task.parties.provider ? (
              <>
                <span>with</span> {label(task.parties.provider)}{" "}
              </>
            ) : null}
            {agreedAt ? <Timestamp at={agreedAt} /> : null}{" "}
            {entries === 0 ? null : (
              <span className="relative">
                <Link href={verifyHref(task.task_id)}>
                  {entryWords(entries)}, verify<span className="sr-only"> “{task.title}”</span>
                </Link>
              </span>
            )}
          </span>{" "}
          <span className="task-state">
            <Standing task={task} />
          </span>{" "}
          <span className="task-money">
            <TaskPrice task={task} /> <ModeBadge mode={task.payment_mode} />
          </span>
        </li>
      ))}
    </ul>
  );
}
