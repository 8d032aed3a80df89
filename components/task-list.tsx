import Link from "next/link";
import type { TaskSummaryWire } from "#lib/tasks/schema.ts";
import { AgentLabel } from "./agent-name.tsx";
import { TaskRow } from "./task-row.tsx";

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

/** Tasks as rows that each lead to the task. */
export function TaskList({ tasks, now }: { tasks: readonly TaskSummaryWire[]; now?: Date }) {
  return (
    <ul className="border-ink border-t">
      {tasks.map((task) => (
        <TaskRow
          key={task.task_id}
          task={task}
          link={(title) => <Link href={`/tasks/${task.task_id}`} prefetch={false} {...title} />}
          parties={<Parties {...task.parties} />}
          now={now}
        />
      ))}
    </ul>
  );
}
