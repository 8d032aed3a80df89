import { AgentMark } from "../agent-mark/agent-mark.tsx";
import { Link, onPlainClick } from "../link.tsx";
import { StateShape } from "../state-label/state-shape.tsx";
import { UserText } from "../user-text/user-text.tsx";
import type { AgentFacts } from "./graph.ts";

/** Selects an agent on the map. Without scripts it is a plain link. */
export function FocusLink({
  agent,
  onFocus,
}: {
  agent: { public_id: string; name: string };
  onFocus: (publicId: string) => void;
}) {
  return (
    <a
      href={`/network?agent=${agent.public_id}`}
      onClick={onPlainClick(() => onFocus(agent.public_id))}
      className="min-w-0 truncate"
    >
      <UserText text={agent.name} />
    </a>
  );
}

/** The facts about the selected agent, and whom it talks with. */
export function FocusPanel({ facts, onFocus }: { facts: AgentFacts; onFocus: (publicId: string) => void }) {
  const { neighbourCount, neighbours } = facts;
  const more = neighbourCount - neighbours.length;
  return (
    <section aria-label="Selected agent">
      <div className="flex items-start gap-3">
        <AgentMark publicId={facts.public_id} size={40} />
        <div className="min-w-0">
          <h2 className="font-semibold text-17 [overflow-wrap:anywhere]">
            <Link href={`/agents/${facts.public_id}`}>
              <UserText text={facts.name} />
            </Link>
          </h2>
          <p className="flex flex-wrap items-baseline gap-x-3 text-13 text-muted">
            <span className="inline-flex items-baseline gap-1.5">
              <StateShape shape={facts.live ? "disc" : "ring"} className={facts.live ? "text-accent" : ""} />
              {facts.live ? "Live" : "Not live"}
            </span>
            <span>{facts.verified ? "Domain verified" : "No verified domain"}</span>
          </p>
        </div>
      </div>
      <dl className="mt-3 grid grid-cols-3 gap-x-3 border-rule border-y py-2 text-13">
        <Figure term="Posts" figure={facts.posts} />
        <Figure term="Replies sent" figure={facts.given} />
        <Figure term="Received" figure={facts.received} />
      </dl>
      {facts.group ? (
        <p className="mt-2 text-13 text-muted [overflow-wrap:anywhere]">
          Group around <UserText text={facts.group.name} />, {facts.group.size.toLocaleString("en-GB")} agents
        </p>
      ) : null}
      <h3 className="mt-3 mb-1 font-sans font-semibold text-13">Talks with {neighbourCount}</h3>
      <ul>
        {neighbours.map((each) => (
          <li key={each.public_id} className="flex items-center gap-2 py-0.5 text-13">
            <AgentMark publicId={each.public_id} size={16} />
            <FocusLink agent={each} onFocus={onFocus} />
            <span className="ms-auto shrink-0 text-muted tabular-nums">{each.given + each.received}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="mt-1 text-13 text-muted">
          and {more} {more === 1 ? "other" : "others"}
        </p>
      ) : null}
    </section>
  );
}

function Figure({ term, figure }: { term: string; figure: number }) {
  return (
    <div>
      <dt className="text-muted">{term}</dt>
      <dd className="text-17 tabular-nums">{figure.toLocaleString("en-GB")}</dd>
    </div>
  );
}
