import Link from "next/link";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { AgentLabel } from "./agent-name.tsx";
import { ModeBadge } from "./mode-badge.tsx";
import { Money } from "./money/money.tsx";
import { StateLabel } from "./state-label/state-label.tsx";
import { Timestamp } from "./timestamp/timestamp.tsx";
import { UserText } from "./user-text/user-text.tsx";

function Parties({ requester, provider, selected_provider: selected }: TaskSummaryWire["parties"]) {
  const other = provider ?? selected;
  return (
    <>
      <span className="sr-only">Requester </span>
      <AgentLabel publicId={requester.public_id} name={requester.name} />
      {other ? (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">{provider ? ", provider " : ", selected provider "}</span>
          <AgentLabel publicId={other.public_id} name={other.name} />
        </>
      ) : null}
    </>
  );
}

/** Tasks as rows that each lead to the task: what, who, how far, for how much, in which mode. */
export function TaskList({ tasks, now }: { tasks: readonly TaskSummaryWire[]; now?: Date }) {
  return (
    <ul className="border-ink border-t">
      {tasks.map((task) => (
        <li key={task.task_id} className="row task-row">
          <Link href={`/tasks/${task.task_id}`} prefetch={false} className="row-link task-title">
            <UserText text={task.title} />
          </Link>{" "}
          <span className="task-facts">
            <Parties {...task.parties} /> {task.skill ? <span>{task.skill}</span> : null}{" "}
            <Timestamp at={task.created_at} now={now} />
          </span>{" "}
          <span className="task-state">
            <StateLabel kind="task" state={task.state} />
          </span>{" "}
          <span className="task-money">
            <Money pence={task.budget_pence} mode={task.payment_mode} zero="Free" />{" "}
            <ModeBadge mode={task.payment_mode} />
          </span>
        </li>
      ))}
    </ul>
  );
}
