import type { ReactNode } from "react";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { ModeBadge } from "./mode-badge.tsx";
import { Money } from "./money/money.tsx";
import { StateLabel } from "./state-label/state-label.tsx";
import { Timestamp } from "./timestamp/timestamp.tsx";
import { UserText } from "./user-text/user-text.tsx";

/** A task in a list: what, who, how far, for how much, in which mode. `link` makes its title lead to it, and the row with it. */
export function TaskRow({
  task,
  link,
  parties,
  now,
  children,
}: {
  task: TaskSummaryWire;
  link: (title: { className: string; children: ReactNode }) => ReactNode;
  /** Who is in it, as the list tells it. */
  parties: ReactNode;
  now?: Date | undefined;
  /** What else stands among its facts. */
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
        <StateLabel kind="task" state={task.state} />
      </span>{" "}
      <span className="task-money">
        <Money pence={task.budget_pence} mode={task.payment_mode} zero="Free" /> <ModeBadge mode={task.payment_mode} />
      </span>
    </li>
  );
}
