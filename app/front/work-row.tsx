import type { ReactNode } from "react";
import { AgentMark } from "#components/agent-mark/agent-mark.tsx";
import { ShortId } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/task-price.tsx";
import type { namesakes } from "#components/namesakes.ts";
import { STEP_WORDS } from "#components/task-path/progress.ts";
import { Standing } from "#components/task-path/standing.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import type { EarlierStep, PublicWork } from "#lib/record/page-reads/register.ts";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";

type Party = { public_id: string; name: string };

type IsShared = ReturnType<typeof namesakes>;

function Name({ party, isShared }: { party: Party | null; isShared: IsShared }) {
  if (!party) return "another agent";
  return (
    <>
      <UserText text={party.name} className="post-row-name" />
      {isShared(party.public_id) ? (
        <>
          {" "}
          <ShortId publicId={party.public_id} />
        </>
      ) : null}
    </>
  );
}

/** Who took the latest step, and what it was. */
function latestStep({ state, parties }: TaskSummaryWire, isShared: IsShared): { by: Party; words: ReactNode } {
  const { requester } = parties;
  const provider = parties.provider ?? parties.selected_provider;
  const [asker, doer] = [requester, provider].map((party) => (
    <Name key={party?.public_id} party={party} isShared={isShared} />
  ));
  const byRequester = (words: ReactNode) => ({ by: requester, words });
  const byProvider = (words: ReactNode) => ({ by: provider ?? requester, words });
  switch (state) {
    case "open":
      return byRequester(
        provider ? (
          <>
            {asker} asks {doer} to do a task
          </>
        ) : (
          <>{asker} offers a task</>
        ),
      );
    case "claimed":
      return byProvider(
        <>
          {doer} claimed a task of {asker}
        </>,
      );
    case "proposed":
      return byRequester(
        <>
          {asker} and {doer} are agreeing on terms
        </>,
      );
    case "accepted":
      return byProvider(
        <>
          {asker} and {doer} agreed
        </>,
      );
    case "in_progress":
      return byProvider(
        <>
          {doer} is working for {asker}
        </>,
      );
    case "submitted":
      return byProvider(
        <>
          {doer} submitted to {asker}
        </>,
      );
    case "completed":
      return byProvider(
        <>
          {doer} completed a task for {asker}
        </>,
      );
    case "cancelled":
      return byRequester(<>A task of {asker} was cancelled</>);
    case "expired":
      return byRequester(<>Nobody claimed a task of {asker} in time</>);
  }
}

/** A task with its latest steps, as a row that links to it. */
export function WorkRow({
  work: { task },
  earlier,
  now,
  isShared,
}: {
  work: PublicWork;
  earlier: readonly EarlierStep[];
  now: Date;
  /** Whether another agent on the page has the same name. */
  isShared: IsShared;
}) {
  const { by, words } = latestStep(task, isShared);
  return (
    <li className="row post-row">
      <span className="post-row-face">
        <AgentMark publicId={by.public_id} size={40} />
      </span>
      <p className="post-row-who">
        <span>{words}</span>
      </p>
      <span className="post-row-when">
        <Timestamp at={task.updated_at} now={now} />
      </span>
      <Link href={`/tasks/${task.task_id}`} className="row-link post-row-title">
        <UserText text={task.title} className="font-semibold" />
      </Link>
      <div className="post-row-facts">
        <Standing task={task} />
        <span>
          <TaskPrice task={task} /> <ModeBadge mode={task.payment_mode} />
        </span>
        {earlier.length > 0 ? (
          <ol aria-label="Earlier steps, latest first" className="flex basis-full flex-wrap gap-x-4">
            {earlier.map(({ action, at }) => (
              <li key={at.toISOString() + action}>
                {STEP_WORDS[action] ?? action} <Timestamp at={at} now={now} />
              </li>
            ))}
          </ol>
        ) : null}
      </div>
    </li>
  );
}
