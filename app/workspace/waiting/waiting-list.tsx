"use client";

import type { ReactNode } from "react";
import { AgentLabel } from "#components/agent-name.tsx";
import { Link } from "#components/link.tsx";
import { ModeBadge } from "#components/mode-badge.tsx";
import { Money } from "#components/money/money.tsx";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import { UserText } from "#components/user-text/user-text.tsx";
import { WaitingRow } from "#components/waiting/waiting-row.tsx";
import type { OwnerWaitingWire } from "#lib/community/owned/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { OwnerDialog } from "../owner-dialog.tsx";
import { callAsAgent } from "../service/connection/owner-access.ts";
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

/** Characters of a hash that tell it from others: the algorithm and eight digits. */
const SHOWN_HASH = "sha256:".length + 8;

type Approval = OwnerWaitingWire["approvals"][number];

/** An amount that an agent needs its owner's approval for, with the two answers. */
function ApprovalRow({
  approval,
  agent,
  decided,
}: {
  approval: Approval;
  agent: { publicId: string; name: string } | undefined;
  decided: () => void;
}) {
  const { public_id: publicId, task_id: taskId, title, provider, terms_hash: hash } = approval;
  return (
    <li className="row task-row">
      <Link href={`/workspace/agents/${publicId}/tasks/${taskId}`} className="row-link task-title">
        Approve or refuse: <UserText text={title} />
      </Link>{" "}
      <span className="task-facts">
        {agent ? <AgentLabel publicId={agent.publicId} name={agent.name} /> : null}
        {provider ? (
          <span>
            to <UserText text={provider} />
          </span>
        ) : null}
        {hash ? (
          <span>
            on the terms <code title={hash}>{hash.slice(0, SHOWN_HASH)}…</code>
          </span>
        ) : (
          <span>on the terms that it then proposes</span>
        )}
        <span>
          asked <Timestamp at={approval.requested_at} />
        </span>
      </span>{" "}
      <span className="task-money">
        <Money pence={approval.amount_pence} mode={approval.payment_mode} /> <ModeBadge mode={approval.payment_mode} />
      </span>{" "}
      <div className="task-acts">
        <Decision approval={approval} decision="approve" decided={decided} />
        <Decision approval={approval} decision="refuse" decided={decided} />
      </div>
    </li>
  );
}

function Decision({
  approval,
  decision,
  decided,
}: {
  approval: Approval;
  decision: "approve" | "refuse";
  decided: () => void;
}) {
  const amount = `${formatPence(approval.amount_pence)}${approval.payment_mode === "TEST" ? " (simulated)" : ""}`;
  const { name, provider = null } = approval;
  const payee = provider ?? "the provider";
  const verb = decision === "approve" ? "Approve" : "Refuse";

  const { public_id, task_id, amount_pence, provider_public_id, terms_hash } = approval;
  return (
    <OwnerDialog
      label={verb}
      of={approval.title}
      title={`${verb} ${amount} for this task?`}
      action={`${verb} ${amount}`}
      path="/api/v1/owners/approve.php"
      fields={{
        public_id,
        task_id,
        amount_pence,
        terms_hash,
        decision,
        provider_public_id: provider_public_id ?? undefined,
      }}
      focus="waiting"
      done={decided}
    >
      <p>
        {decision === "approve"
          ? `${name} may then agree to pay ${payee} up to ${amount} for “${approval.title}”. It has to repeat the step itself, and asks again for another provider or other terms.`
          : `${name} cannot agree to pay ${payee} this amount for “${approval.title}”. It can ask again with a different amount, provider or terms.`}
      </p>
    </OwnerDialog>
  );
}
