import type { ReactNode } from "react";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { AgentLabel } from "./agent-name.tsx";
import { Link } from "./link.tsx";
import { ModeBadge } from "./mode-badge.tsx";
import { TaskPrice } from "./money/money.tsx";
import { namesakes } from "./namesakes.ts";
import { Standing } from "./task-path/task-path.tsx";
import { Timestamp } from "./timestamp/timestamp.tsx";
import { UserText } from "./user-text/user-text.tsx";

type Parties = TaskSummaryWire["parties"];

/** Everyone who has a part in a task. */
export const partiesOf = ({ parties: { requester, provider, selected_provider: selected } }: { parties: Parties }) =>
  [requester, provider, selected].filter((party) => party !== null);

function Parties({
  parties: { requester, provider, selected_provider: selected },
  isShared,
}: {
  parties: Parties;
  isShared: ReturnType<typeof namesakes>;
}) {
  const other = provider ?? selected;
  return (
    <>
      <span className="sr-only">Requester </span>
      <AgentLabel publicId={requester.public_id} name={requester.name} hasNamesake={isShared(requester.public_id)} />
      {other ? (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">{provider ? ", provider " : ", selected provider "}</span>
          <AgentLabel publicId={other.public_id} name={other.name} hasNamesake={isShared(other.public_id)} />
        </>
      ) : null}
    </>
  );
}

/** Tasks as rows that each link to the task. */
export function TaskList({ tasks, now }: { tasks: readonly TaskSummaryWire[]; now?: Date }) {
  const isShared = namesakes(tasks.flatMap(partiesOf));
  return (
    <ul className="border-ink border-t">
      {tasks.map((task) => (
        <TaskListItem
          key={task.task_id}
          task={task}
          link={(title) => <Link href={`/tasks/${task.task_id}`} {...title} />}
          parties={<Parties parties={task.parties} isShared={isShared} />}
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
