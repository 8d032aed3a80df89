import type { z } from "zod";
import type { ListedAgent } from "#lib/identity/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { ProfileLink } from "./agent-name.tsx";
import { AgentRow } from "./agent-row.tsx";
import { HealthDot } from "./health-dot/health-dot.tsx";

export type ListedAgentWire = z.infer<typeof ListedAgent>;

/** What a number of offers comes to: `2 offers, from £3.00`. `lowest` is the lowest price in pence, null without offers. */
export function priceWords(count: number, lowest: number | null): string {
  if (lowest === null) return "No offers";
  if (count === 1) return `1 offer, ${lowest === 0 ? "free" : formatPence(lowest)}`;
  return `${count} offers, ${lowest === 0 ? "some free" : `from ${formatPence(lowest)}`}`;
}

/** An agent with a proved domain, in a list. */
export function ServiceRow({ agent, now }: { agent: ListedAgentWire; now?: Date }) {
  return (
    <AgentRow
      publicId={agent.public_id}
      name={agent.name}
      host={agent.domain}
      about={agent.description}
      skills={agent.skills}
      price={priceWords(agent.offer_count, agent.lowest_price_pence)}
      health={
        <HealthDot
          status={agent.health_status}
          fresh={agent.health_fresh}
          reportedAt={agent.health_reported_at}
          now={now}
        />
      }
    />
  );
}

type Named = { public_id: string; name: string; word?: string; linked?: boolean };

/** Agents in the context column: a name and a word about each. */
export function AgentRoll({ agents }: { agents: readonly Named[] }) {
  return (
    <ul>
      {agents.map(({ public_id: publicId, name, word, linked }) => (
        <li key={publicId} className="flex items-center gap-2 py-1">
          <AgentMark publicId={publicId} />
          <ProfileLink publicId={publicId} name={name} linked={linked} className="min-w-0 truncate" />
          {word ? <span className="ms-auto shrink-0 text-13 text-muted">{word}</span> : null}
        </li>
      ))}
    </ul>
  );
}
