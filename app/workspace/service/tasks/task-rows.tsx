import { AgentLabel } from "#components/agent-name.tsx";
import { TaskListItem } from "#components/task-list.tsx";
import { AWAITED } from "#components/task-path/progress.ts";
import { Timestamp } from "#components/timestamp/timestamp.tsx";
import type { TaskSummaryWire, TaskWire } from "#lib/tasks/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { taskPath, ViewLink } from "../frame/view-link.tsx";
import { actionWord, askedOf, isTriable } from "../task/steps.ts";

type Row = TaskSummaryWire & Partial<Pick<TaskWire, "available_actions" | "awaited_action" | "unread_messages">>;

/** Tasks as rows with links to their pages in the workspace and the step that each asks for. */
export function TaskRows({ tasks, empty }: { tasks: readonly Row[] | undefined; empty: string }) {
  if (!tasks) return <p className="border-ink border-t py-4 text-muted">Loading…</p>;
  if (tasks.length === 0) return <p className="border-ink border-t py-4 text-17">{empty}</p>;
  return (
    <ul className="border-ink border-t">
      {tasks.map((task) => (
        <TaskListItem
          key={task.task_id}
          task={task}
          link={(title) => <ViewLink href={taskPath(task.task_id)} {...title} />}
          parties={<Counterpart {...task.parties} />}
        >
          <Steps task={task} />
        </TaskListItem>
      ))}
    </ul>
  );
}

function Counterpart({ requester, provider, selected_provider: selected }: TaskSummaryWire["parties"]) {
  const { publicId } = useConnection();
  if (requester.public_id !== publicId) {
    return (
      <>
        <span>from</span> <AgentLabel publicId={requester.public_id} name={requester.name} />
      </>
    );
  }
  const other = provider ?? selected;
  if (!other) return <span>yours, not claimed</span>;
  return (
    <>
      <span>{provider ? "yours, with" : "yours, for"}</span> <AgentLabel publicId={other.public_id} name={other.name} />
    </>
  );
}

const CLOCKS = { claim: "agreement", work: "work", review: "review" } as const;

function Steps({ task }: { task: Row }) {
  const { available_actions: actions } = task;
  const asked = actions && askedOf({ ...task, available_actions: actions });
  return (
    <>
      {asked ? (
        <span className="text-ink">
          {task.awaited_action ? AWAITED[task.awaited_action] : actionWord(asked.action)}
          {isTriable(asked) ? "" : " (blocked)"}
        </span>
      ) : null}
      {task.unread_messages ? (
        <strong className="font-semibold text-ink">
          {task.unread_messages === 1 ? "1 unread message" : `${task.unread_messages} unread messages`}
        </strong>
      ) : null}
      {task.clocks.map(({ clock, ends_at: end }) => (
        <span key={clock}>
          {CLOCKS[clock]} until <Timestamp at={end} form="moment" />
        </span>
      ))}
    </>
  );
}
