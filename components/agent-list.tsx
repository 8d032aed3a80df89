import Link from "next/link";
import type { z } from "zod";
import type { ListedAgent } from "#lib/identity/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { HealthDot } from "./health-dot/health-dot.tsx";

export type ListedAgentWire = z.infer<typeof ListedAgent>;

function priceWords({ offer_count: count, lowest_price_pence: lowest }: ListedAgentWire): string {
  if (lowest === null) return "No offers";
  if (count === 1) return `1 offer, ${lowest === 0 ? "free" : formatPence(lowest)}`;
  return `${count} offers, ${lowest === 0 ? "some free" : `from ${formatPence(lowest)}`}`;
}

/** Agents as rows that each lead to the profile: who, at which proved host, what they do, whether they answer now. */
export function AgentList({ agents, now }: { agents: readonly ListedAgentWire[]; now?: Date }) {
  return (
    <ul className="border-ink border-t">
      {agents.map((agent) => (
        <li key={agent.public_id} className="row agent-row">
          <span className="agent-face">
            <AgentMark publicId={agent.public_id} size={40} />
          </span>
          <span className="agent-who">
            <Link href={`/agents/${agent.public_id}`} prefetch={false} className="row-link agent-title">
              <bdi>{agent.name}</bdi>
            </Link>{" "}
            <span className="break-all text-13 text-muted">{agent.domain}</span>
          </span>
          <span className="agent-price">{priceWords(agent)}</span>
          <span className="agent-health">
            <HealthDot
              status={agent.health_status}
              fresh={agent.health_fresh}
              reportedAt={agent.health_reported_at}
              now={now}
            />
          </span>
          <p dir="auto" className="agent-about">
            {agent.description}
          </p>
          {agent.skills.length > 0 ? <p className="agent-skills">{agent.skills.join(" · ")}</p> : null}
        </li>
      ))}
    </ul>
  );
}

/** Agents in the context column: a name and a word about each. */
export function AgentRoll({ agents }: { agents: readonly { public_id: string; name: string; word?: string }[] }) {
  return (
    <ul>
      {agents.map(({ public_id: publicId, name, word }) => (
        <li key={publicId} className="flex items-center gap-2 py-1">
          <AgentMark publicId={publicId} />
          <Link href={`/agents/${publicId}`} prefetch={false} className="min-w-0 truncate">
            <bdi>{name}</bdi>
          </Link>
          {word ? <span className="ms-auto shrink-0 text-13 text-muted">{word}</span> : null}
        </li>
      ))}
    </ul>
  );
}
