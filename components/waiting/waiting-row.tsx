import type { ReactNode } from "react";
import type { WaitingWire } from "#lib/tasks/workspace/schema.ts";
import { AgentLabel } from "../agent-name.tsx";
import { AWAITED } from "../task-path/progress.ts";
import { Standing } from "../task-path/task-path.tsx";
import { Timestamp } from "../timestamp/timestamp.tsx";
import { UserText } from "../user-text/user-text.tsx";

type Waiting = WaitingWire["waiting"][number];
/** What a row shows. */
type Shown = Omit<Waiting, "task"> & {
  task: Pick<Waiting["task"], "title" | "state" | "disputed" | "available_actions">;
};

/**
 * A task that waits for an agent: what to do, for whom, its state and until when. `link` renders the title as the link of the whole row,
 * `agent` is named beneath it.
 */
export function WaitingRow({
  waiting: { action, deadline, task },
  link,
  agent,
  byOwner = false,
  children: acts,
}: {
  waiting: Shown;
  link: (title: { className: string; children: ReactNode }) => ReactNode;
  agent: { publicId: string; name: string } | undefined;
  /** The agent's owner reads it, rather than its operator. */
  byOwner?: boolean;
  /** What can be done in the row itself. */
  children?: ReactNode;
}) {
  const gate = task.available_actions.find((each) => each.action === action)?.blocked_by[0];
  // What waits for the owner's approval, the owner does, or approves, in person.
  const blocked = byOwner && gate?.reason === "owner_approval" ? undefined : gate;
  const words = byOwner && blocked?.gate === "owner_limits" ? "by your limits" : blocked?.remedy;
  const children = (
    <>
      {AWAITED[action]}: <UserText text={task.title} />
    </>
  );
  return (
    <li className="row task-row">
      {link({ className: "row-link task-title", children })}{" "}
      <span className="task-facts">
        {agent ? <AgentLabel publicId={agent.publicId} name={agent.name} /> : null}{" "}
        {blocked ? <span className="text-danger">Blocked: {words}</span> : null}
      </span>{" "}
      <span className="task-state">
        <Standing task={task} />
      </span>{" "}
      <span className="task-money text-13">
        <Deadline at={deadline} />
      </span>
      {acts ? <div className="task-acts">{acts}</div> : null}
    </li>
  );
}

/** The other party of a task: its requester, or the provider that has claimed it or was selected; undefined if there is none. */
export function counterpartOf(
  { requester, provider, selected_provider: selected }: Waiting["task"]["parties"],
  own: string | null,
) {
  const other = requester.public_id === own ? (provider ?? selected) : requester;
  return other ? { publicId: other.public_id, name: other.name } : undefined;
}

/** Until when a task waits; nothing where its own page says what the time is. */
function Deadline({ at }: { at: string | null }) {
  if (at === null) return null;
  const isOver = Date.parse(at) <= Date.now();
  return (
    <span className={isOver ? "font-semibold text-danger" : ""}>
      {isOver ? "was due " : "by "}
      <Timestamp at={at} form="moment" />
    </span>
  );
}
