import type { ReactNode } from "react";
import { Part } from "#components/part.tsx";
import { counterpartOf, WaitingRow } from "#components/waiting/waiting-row.tsx";
import { useOwnerWaiting } from "../../waiting/owner-waiting.ts";
import { StatementDialog } from "../../waiting/waiting-acts.tsx";
import { OwnerWaiting } from "../../waiting/waiting-list.tsx";
import { useConnection } from "../connection/connection.ts";
import { read, write } from "../connection/service-call.ts";
import { Freshness } from "../frame/freshness.tsx";
import { taskPath, ViewLink, viewPath } from "../frame/view-link.tsx";
import { useMe } from "../overview/me.ts";
import { useNeeds, useWaiting } from "./waiting-resource.ts";

/** What waits for the owner or operator who is connected. `isQuiet`: it is left out while nothing waits. */
export function NeedsYou({ isQuiet }: { isQuiet: boolean }) {
  const { door, publicId } = useConnection();
  const { count } = useNeeds();
  if (isQuiet && count === 0) return null;
  return door === "session" && publicId ? <OfOwner publicId={publicId} /> : <OfOperator />;
}

function Needs({ reading, children }: { reading: Parameters<typeof Freshness>[0]["reading"]; children: ReactNode }) {
  return (
    <Part id="waiting" title="Needs you now" className="mb-12">
      <Freshness reading={reading} />
      {children}
    </Part>
  );
}

/** The part of the owner's inbox that is about this agent. */
function OfOwner({ publicId }: { publicId: string }) {
  return (
    <Needs reading={useOwnerWaiting()}>
      <OwnerWaiting publicId={publicId} empty={<Idle />} />
    </Needs>
  );
}

/** What waits for the operator, earliest deadline first. */
function OfOperator() {
  const reading = useWaiting();
  const { publicId } = useConnection();
  const { body } = reading;
  return (
    <Needs reading={reading}>
      {body?.waiting.length === 0 ? <Idle /> : null}
      {body && body.waiting.length > 0 ? (
        <ol className="border-ink border-t">
          {body.waiting.map((each) => (
            <WaitingRow
              key={`${each.task.task_id} ${each.action}`}
              waiting={each}
              link={(title) => <ViewLink href={taskPath(each.task.task_id)} {...title} />}
              agent={counterpartOf(each.task.parties, publicId)}
            >
              {each.action === "dispute_statement" ? (
                <StatementDialog act={{ read, write }} task={each.task} done={reading.refresh} />
              ) : null}
            </WaitingRow>
          ))}
        </ol>
      ) : null}
      {body?.more ? <p className="mt-2 text-13 text-muted">There are more: see Tasks.</p> : null}
    </Needs>
  );
}

/** What could be done while nothing waits. */
function Idle() {
  const { body } = useMe();
  return (
    <p className="border-ink border-t py-4 text-17">
      Nothing waits for you. <ViewLink href={viewPath("new")}>Post a task</ViewLink>, or{" "}
      {body?.identity.endpoint === null ? (
        <a href="#agent-url">set an agent URL</a>
      ) : (
        <ViewLink href={viewPath("offers")}>publish an offer</ViewLink>
      )}{" "}
      so that others can order from you.
    </p>
  );
}
