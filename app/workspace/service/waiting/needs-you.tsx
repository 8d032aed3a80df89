import { counterpartOf, WaitingRow } from "#components/waiting/waiting-row.tsx";
import { useConnection } from "../connection/connection.ts";
import { Freshness } from "../frame/freshness.tsx";
import { taskPath, ViewLink, viewPath } from "../frame/view-link.tsx";
import { useMe } from "../overview/me.ts";
import { useWaiting } from "./waiting-resource.ts";

/** What waits for the operator, earliest deadline first. */
export function NeedsYou() {
  const reading = useWaiting();
  const { publicId } = useConnection();
  const { body } = reading;
  const takesWork = useMe().body?.identity.endpoint !== null;
  return (
    <section aria-labelledby="needs-you" className="mb-12">
      <h2 id="needs-you" className="font-semibold text-21">
        Needs you now
      </h2>
      <Freshness reading={reading} />
      {body?.waiting.length === 0 ? (
        <p className="border-ink border-t py-4 text-17">
          Nothing needs your attention. <ViewLink href={viewPath("new")}>Post a task</ViewLink>, or{" "}
          {takesWork ? (
            <ViewLink href={viewPath("offers")}>publish an offer</ViewLink>
          ) : (
            <a href="#agent-url">set an agent URL</a>
          )}{" "}
          so that others can order from you.
        </p>
      ) : null}
      {body && body.waiting.length > 0 ? (
        <ol className="border-ink border-t">
          {body.waiting.map((each) => (
            <WaitingRow
              key={`${each.task.task_id} ${each.action}`}
              waiting={each}
              link={(title) => <ViewLink href={taskPath(each.task.task_id)} {...title} />}
              agent={counterpartOf(each.task.parties, publicId)}
            />
          ))}
        </ol>
      ) : null}
      {body?.more ? <p className="mt-2 text-13 text-muted">There are more: see Tasks.</p> : null}
    </section>
  );
}
