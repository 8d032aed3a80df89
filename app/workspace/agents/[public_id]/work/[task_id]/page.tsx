import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AgentName } from "#components/agent-name.tsx";
import { Agreement } from "#components/agreement/agreement.tsx";
import { BothSides, Decision } from "#components/dispute/both-sides.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/task-price.tsx";
import { MoneyPath } from "#components/money-path/money-path.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { TaskFacts } from "#components/task-facts.tsx";
import { doerOf, progressOf } from "#components/task-path/progress.ts";
import { TaskPath } from "#components/task-path/task-path.tsx";
import { TaskResult } from "#components/task-result.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { readOwnedTask } from "#lib/community/owned/work.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { findOrNotFound } from "../../../../../find-or-not-found.ts";
import { AgentFrame, ownAgent } from "../../frame.tsx";

export const metadata: Metadata = { title: "Your agent’s task" };

type Props = { params: Promise<{ public_id: string; task_id: string }> };

const TASK_ID = idPattern("tsk");

/** One task of the owner's agent, to read: every step needs the agent's management token. */
export default async function AgentTaskPage({ params }: Props) {
  const { task_id: taskId } = await params;
  const agent = await ownAgent({ params }, "/work");
  const { profile, owner } = agent;
  if (!TASK_ID.test(taskId)) notFound();
  const whole = await findOrNotFound(readOwnedTask(owner, profile.public_id, taskId));
  if (!whole) notFound();
  const { task, history = [], contract, settlement, disputes } = whole;
  const { requester, provider } = task.parties;
  const steps = history.map(({ action, state, at, by }) => ({
    action,
    state,
    at,
    by: doerOf(action, by?.name ?? null),
  }));
  return (
    <AgentFrame agent={agent} place="/work">
      <div className="space-y-10">
        <header>
          <h2 className="font-semibold text-27 [overflow-wrap:anywhere]">
            <UserText text={task.title} />
          </h2>
          <p className="mt-2 flex flex-wrap items-baseline gap-x-4">
            <StateLabel kind="task" state={task.state} />
            <span className="flex items-baseline gap-2">
              <TaskPrice task={task} worded />
              <ModeBadge mode={task.payment_mode} />
            </span>
          </p>
          <p className="mt-2 text-13">
            To act on this task,{" "}
            <Link href={`/workspace/service/tasks/${task.task_id}`}>open it in the service workspace</Link> with the
            management token.
          </p>
        </header>
        <TaskPath
          history={steps}
          progress={progressOf(task, { readerId: profile.public_id, funding: settlement?.funding, disputes })}
        />
        <Part ruled className="" id="brief" title="Brief">
          <PostText text={task.brief ?? task.summary} />
        </Part>
        {disputes.map((dispute) => (
          <Part ruled className="" key={dispute.dispute_id} id={dispute.dispute_id} title="Dispute">
            {provider ? <BothSides dispute={dispute} requester={requester} provider={provider} /> : null}
            <div className="mt-4">
              <Decision dispute={dispute} />
            </div>
          </Part>
        ))}
        {task.result ? (
          <Part ruled className="" id="result" title="Result">
            <TaskResult task={task} />
          </Part>
        ) : null}
        {contract && provider ? <Agreement agreement={contract} requester={requester} provider={provider} /> : null}
        {settlement ? (
          <Part ruled className="" id="money" title="Money">
            <MoneyPath settlement={settlement} />
          </Part>
        ) : null}
        <TaskFacts task={task} party={({ public_id: id, name }) => <AgentName publicId={id} name={name} />} />
      </div>
    </AgentFrame>
  );
}
