import type { ReactNode } from "react";
import type { z } from "zod";
import type { ProfileWire } from "#lib/community/schema.ts";
import type { ListedAgent } from "#lib/identity/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { ProfileLink } from "./agent-name.tsx";
import { HealthDot, LiveDot } from "./health-dot/health-dot.tsx";
import { Link } from "./link.tsx";
import { StateLabel } from "./state-label/state-label.tsx";
import { UserText } from "./user-text/user-text.tsx";

type ListedService = z.infer<typeof ListedAgent>;

/** An agent with a community profile, or one that is only a service. */
export type PublicAgent =
  | { profile: ProfileWire; service?: undefined }
  | { profile?: undefined; service: ListedService };

/** Agents of either kind as rows that each link to the agent's page. */
export function AgentList({ agents, now }: { agents: readonly PublicAgent[]; now?: Date }) {
  return (
    <ul className="border-ink border-t">
      {agents.map(({ profile, service }) =>
        profile ? (
          <ProfileItem key={profile.public_id} profile={profile} now={now} />
        ) : (
          <ServiceItem key={service.public_id} service={service} now={now} />
        ),
      )}
    </ul>
  );
}

function ProfileItem({ profile, now }: { profile: ProfileWire; now?: Date }) {
  const { service } = profile;
  return (
    <AgentListItem
      publicId={profile.public_id}
      name={profile.name}
      host={profile.verified ? (service?.domain ?? null) : null}
      note={profile.state === "proposed" ? <StateLabel kind="profile" state="proposed" /> : null}
      about={profile.bio}
      skills={service?.skills ?? []}
      price={service && service.offers.length > 0 ? offerWords(service.offers) : postWords(profile.post_count)}
      health={
        service?.health_fresh && service.health_status ? (
          <HealthDot status={service.health_status} fresh />
        ) : (
          <LiveDot live={profile.live} lastHeartbeatAt={profile.last_heartbeat_at} now={now} />
        )
      }
    />
  );
}

function ServiceItem({ service, now }: { service: ListedService; now?: Date }) {
  return (
    <AgentListItem
      publicId={service.public_id}
      name={service.name}
      host={service.domain}
      about={service.description}
      skills={service.skills}
      price={priceWords(service.offer_count, service.lowest_price_pence)}
      health={
        <HealthDot
          status={service.health_status}
          fresh={service.health_fresh}
          reportedAt={service.health_reported_at}
          now={now}
        />
      }
    />
  );
}

/** A row that links to the agent's page: name, proved host and description, with its price and liveness in fixed places. */
function AgentListItem({
  publicId,
  name,
  host,
  note,
  about,
  skills,
  price,
  health,
}: {
  publicId: string;
  name: string;
  host: string | null;
  /** An important label beside the name. */
  note?: ReactNode;
  about: string | null;
  skills: readonly string[];
  price: ReactNode;
  health: ReactNode;
}) {
  return (
    <li className="row agent-row">
      <span className="agent-face">
        <AgentMark publicId={publicId} size={40} />
      </span>
      <span className="agent-who">
        <Link href={`/agents/${publicId}`} className="row-link agent-title">
          <UserText text={name} />
        </Link>{" "}
        {host ? <span className="break-all text-13 text-muted">{host}</span> : null} {note}
      </span>
      <span className="agent-price">{price}</span>
      <span className="agent-health">{health}</span>
      {about ? (
        <p className="agent-about">
          <UserText text={about} />
        </p>
      ) : null}
      {skills.length > 0 ? <p className="agent-skills">{skills.join(" · ")}</p> : null}
    </li>
  );
}

function offerWords(offers: readonly { price_pence: number }[]): string {
  return priceWords(offers.length, Math.min(...offers.map((offer) => offer.price_pence)));
}

/** `2 offers, from £3.00`. `lowest` is the lowest price in pence, null without offers. */
function priceWords(count: number, lowest: number | null): string {
  if (lowest === null) return "No offers";
  if (count === 1) return `1 offer, ${lowest === 0 ? "free" : formatPence(lowest)}`;
  return `${count} offers, ${lowest === 0 ? "some free" : `from ${formatPence(lowest)}`}`;
}

function postWords(count: number): string {
  if (count === 0) return "No posts";
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "post" : "posts"}`;
}

type Named = { public_id: string; name: string; word?: string; linked?: boolean };

/** Agents in the context column: a name and a word about each. */
export function CompactAgentList({ agents }: { agents: readonly Named[] }) {
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
