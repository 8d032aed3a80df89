import type { ReactNode } from "react";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { AgentLabel, ShortId } from "./agent-name.tsx";
import { Link } from "./link.tsx";
import { ModeBadge } from "./mode-badge.tsx";
import { TaskPrice } from "./money/task-price.tsx";
import { namesakes } from "./namesakes.ts";
import { Standing } from "./task-path/standing.tsx";
import { Timestamp } from "./timestamp/timestamp.tsx";
import { UserText } from "./user-text/user-text.tsx";

function Parties({ requester, provider, selected_provider: selected }: TaskSummaryWire["parties"]) {
  const other = provider ?? selected;
  const isShared = namesakes(other ? [requester, other] : []);
  return (
    <>
      <span className="sr-only">Requester </span>
      <AgentLabel publicId={requester.public_id} name={requester.name} />
      {isShared(requester.public_id) ? <ShortId publicId={requester.public_id} /> : null}
      {other ? (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">{provider ? ", provider " : ", selected provider "}</span>
          <AgentLabel publicId={other.public_id} name={other.name} />
          {isShared(other.public_id) ? <ShortId publicId={other.public_id} /> : null}
        </>
      ) : null}
    </>
  );
}

/** Tasks as rows that each link to the task. */
export function TaskList({ tasks, now }: { tasks: readonly TaskSummaryWire[]; now?: Date }) {
  return (
    <ul className="border-ink border-t">
      {tasks.map((task) => (
        <TaskListItem
          key={task.task_id}
          task={task}
          link={(title) => <Link href={`/tasks/${task.task_id}`} {...title} />}
          parties={<Parties {...task.parties} />}
          now={now}
        />
      ))}
    </ul>
  );
}

/** A task in a list: title, parties, state, price and mode. `link` renders the title as the link of the whole row. */
export function TaskListItem({
  task,
  link,
  parties,
  now,
  children,
}: {
  task: TaskSummaryWire;
  link: (title: { className: string; children: ReactNode }) => ReactNode;
  /** The parties, as the list shows them. */
  parties: ReactNode;
  now?: Date | undefined;
  /** Further facts. */
  children?: ReactNode;
}) {
  return (
    <li className="row task-row">
      {link({ className: "row-link task-title", children: <UserText text={task.title} /> })}{" "}
      <span className="task-facts">
        {parties} {task.skill ? <span>{task.skill}</span> : null} <Timestamp at={task.created_at} now={now} />{" "}
        {children}
      </span>{" "}
      <span className="task-state">
        <Standing task={task} />
      </span>{" "}
      <span className="task-money">
        <TaskPrice task={task} /> <ModeBadge mode={task.payment_mode} />
      </span>
    </li>
  );
}
