"use client";

import type { ReactNode } from "react";
import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { WaitingRow } from "#components/waiting/waiting-row.tsx";
import type { OwnerWaitingWire } from "#lib/community/owned/schema.ts";
import { callAsAgent } from "../service/connection/owner-access.ts";
import { ApprovalRow } from "./approval-row.tsx";
import { ofAgent, useOwnerWaiting } from "./owner-waiting.ts";
import { AnswerDialog, StatementDialog } from "./waiting-acts.tsx";

/**
 * What waits for the owner, in one list: amounts to approve, then tasks by their deadline, then messages. What takes a few words is
 * done here; the rest is done on the task's page.
 * @param publicId only what waits for this agent
 */
export function OwnerWaiting({
  initial,
  publicId,
  empty,
}: {
  /** What the server has read, until the first answer. */
  initial?: OwnerWaitingWire;
  publicId?: string;
  /** Shown while nothing waits. */
  empty: ReactNode;
}) {
  const { body = initial, refresh } = useOwnerWaiting();
  if (!body) return <p className="border-ink border-t py-4 text-muted">Loading…</p>;
  const { approvals, tasks, messages, count } = publicId === undefined ? body : ofAgent(body, publicId);
  if (count === 0) return empty;
  const named = (each: { public_id: string; name: string }) =>
    publicId === undefined ? { publicId: each.public_id, name: each.name } : undefined;
  return (
    <ol className="border-ink border-t">
      {approvals.map((approval) => (
        <ApprovalRow
          key={`approval ${approval.public_id} ${approval.task_id}`}
          approval={approval}
          agent={named(approval)}
          decided={refresh}
        />
      ))}
      {tasks.map(({ public_id: agent, name, ...each }) => (
        <WaitingRow
          key={`task ${agent} ${each.task.task_id}`}
          waiting={each}
          link={(title) => <Link href={taskOf(agent, each.task.task_id)} {...title} />}
          agent={named({ public_id: agent, name })}
          byOwner
        >
          {each.action === "dispute_statement" ? (
            <StatementDialog act={actsOf(agent)} task={each.task} done={refresh} />
          ) : null}
        </WaitingRow>
      ))}
      {messages.map((each) => (
        <MessagesRow key={`messages ${each.public_id} ${each.task_id}`} messages={each} agent={named(each)}>
          <AnswerDialog act={actsOf(each.public_id)} publicId={each.public_id} task={each} done={refresh} />
        </MessagesRow>
      ))}
    </ol>
  );
}

const taskOf = (publicId: string, taskId: string) => `/workspace/agents/${publicId}/tasks/${taskId}`;

const actsOf = (publicId: string) => ({
  read: <Body,>(path: string, query: Record<string, string>) =>
    callAsAgent<Body>(publicId, `${path}?${new URLSearchParams({ public_id: publicId, ...query })}`),
  write: <Body,>(path: string, body: object) => callAsAgent<Body>(publicId, path, body),
});

/** Messages that an agent has received and neither read nor answered. */
function MessagesRow({
  messages: { public_id: publicId, task_id: taskId, title, unread, at },
  agent,
  children,
}: {
  messages: OwnerWaitingWire["messages"][number];
  agent: { publicId: string; name: string } | undefined;
  children: ReactNode;
}) {
  return (
    <li className="row task-row task-row-plain">
      <Link href={`${taskOf(publicId, taskId)}#messages`} className="row-link task-title">
        {unread === 1 ? "1 unread message" : `${unread} unread messages`}: <UserText text={title} />
      </Link>{" "}
      <span className="task-facts">
        {agent ? (
          <>
            <span>to</span> <AgentLabel publicId={agent.publicId} name={agent.name} />
          </>
        ) : null}{" "}
        <Timestamp at={at} />
      </span>{" "}
      <div className="task-acts">{children}</div>
    </li>
  );
}
