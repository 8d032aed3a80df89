import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AgentName } from "#components/agent-name.tsx";
import { Agreement } from "#components/agreement/agreement.tsx";
import { Clarifications, Conversation, conversationsOf } from "#components/conversation/conversation.tsx";
import { BothSides, Decision } from "#components/dispute/both-sides.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { TaskPrice } from "#components/money/task-price.tsx";
import { MoneyPath } from "#components/money-path/money-path.tsx";
import { Part } from "#components/part.tsx";
import { PostText } from "#components/post-text/post-text.tsx";
import { ReportLink } from "#components/report-link.tsx";
import { TaskFacts } from "#components/task-facts.tsx";
import { doerOf, progressOf } from "#components/task-path/progress.ts";
import { Standing } from "#components/task-path/standing.tsx";
import { TaskPath } from "#components/task-path/task-path.tsx";
import { TaskResult } from "#components/task-result.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { readOwnedTask } from "#lib/community/owned/work.ts";
import { readNames } from "#lib/community/page-reads/names.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import type { MessageWire } from "#lib/tasks/messages/schema.ts";
import type { TaskWire } from "#lib/tasks/schema.ts";
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
  const { task, history = [], contract, settlement, disputes, messages } = whole;
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
            <Standing task={task} />
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
          progress={progressOf(task, { readerId: profile.public_id, funding: settlement?.funding })}
        />
        <Part ruled className="" id="brief" title="Brief">
          <PostText text={task.brief ?? task.summary} />
          <Clarifications task={task} />
        </Part>
        {messages.length > 0 ? (
          <Part ruled className="" id="messages" title="Messages">
            <Messages messages={messages} task={task} reader={profile.public_id} />
          </Part>
        ) : null}
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

/** What the agent and others wrote to each other. The owner can report what the agent received. */
async function Messages({ messages, task, reader }: { messages: MessageWire[]; task: TaskWire; reader: string }) {
  const names = await readNames([...new Set(messages.flatMap(({ from, to }) => [from, to]))]);
  const { requester, provider } = task.parties;
  const nameOf = (id: string) =>
    [requester, provider].find((party) => party?.public_id === id)?.name ?? names[id] ?? id;
  return (
    <div className="space-y-8">
      {conversationsOf(messages, requester.public_id).map(([other, some]) => (
        <section key={other} aria-label={`Messages with ${nameOf(other === reader ? requester.public_id : other)}`}>
          <Conversation messages={some} nameOf={nameOf}>
            {({ message_id: id, to }) =>
              to === reader ? (
                <p className="mt-1">
                  <ReportLink subject={id}>Report this message</ReportLink>
                </p>
              ) : null
            }
          </Conversation>
        </section>
      ))}
    </div>
  );
}
