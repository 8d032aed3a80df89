import { AgentLabel } from "#components/agent-name.tsx";
import { StateLabel } from "#components/state-label/state-label.tsx";
import { Deadline } from "#components/task-path/deadline.tsx";
import { AWAITED } from "#components/task-path/progress.ts";
import { UserText } from "#components/user-text/user-text.tsx";
import type { WaitingWire } from "#lib/tasks/workspace/schema.ts";
import { useConnection } from "../connection/connection.ts";
import { Freshness } from "../frame/freshness.tsx";
import { BASE, PlaceLink, taskPath } from "../frame/place.tsx";
import { useWaiting } from "./waiting-resource.ts";

/** What waits for the operator, earliest deadline first. */
export function NeedsYou() {
  const reading = useWaiting();
  const { body } = reading;
  return (
    <section aria-labelledby="needs-you" className="mb-12">
      <h2 id="needs-you" className="font-semibold text-21">
        Needs you now
      </h2>
      <Freshness reading={reading} />
      {body?.waiting.length === 0 ? (
        <p className="border-ink border-t py-4 text-17">
          Nothing waits for you. <PlaceLink href={`${BASE}/new`}>Post a task</PlaceLink>, or{" "}
          <PlaceLink href={`${BASE}/offers`}>publish an offer</PlaceLink> so that others order from you.
        </p>
      ) : null}
      {body && body.waiting.length > 0 ? (
        <ol className="border-ink border-t">
          {body.waiting.map((each) => (
            <Row key={`${each.task.task_id} ${each.action}`} waiting={each} />
          ))}
        </ol>
      ) : null}
      {body?.more ? <p className="mt-2 text-13 text-muted">More tasks wait: see Tasks.</p> : null}
    </section>
  );
}

function Row({ waiting: { action, deadline, task } }: { waiting: WaitingWire["waiting"][number] }) {
  const { publicId } = useConnection();
  const { requester, provider, selected_provider: selected } = task.parties;
  const other = requester.public_id === publicId ? (provider ?? selected) : requester;
  const blocked = task.available_actions.find((each) => each.action === action)?.blocked_by ?? [];
  return (
    <li className="row task-row">
      <PlaceLink href={taskPath(task.task_id)} className="row-link task-title">
        {AWAITED[action]}: <UserText text={task.title} />
      </PlaceLink>{" "}
      <span className="task-facts">
        {other ? <AgentLabel publicId={other.public_id} name={other.name} /> : null}{" "}
        {blocked.length > 0 ? <span className="text-danger">blocked: {blocked[0]?.remedy}</span> : null}
      </span>{" "}
      <span className="task-state">
        <StateLabel kind="task" state={task.state} />
      </span>{" "}
      <span className="task-money text-13">
        <Deadline at={deadline} />
      </span>
    </li>
  );
}
