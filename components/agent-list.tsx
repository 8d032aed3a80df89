import type { ReactNode } from "react";
import type { z } from "zod";
import type { ProfileWire } from "#lib/community/schema.ts";
import type { ListedAgent } from "#lib/identity/schema.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { AgentMark } from "./agent-mark/agent-mark.tsx";
import { ProfileLink, ShortId } from "./agent-name.tsx";
import { HealthDot, LiveDot } from "./health-dot/health-dot.tsx";
import { Link } from "./link.tsx";
import type { PaymentMode } from "./money/money.tsx";
import { namesakes } from "./namesakes.ts";
import { StateLabel } from "./state-label/state-label.tsx";
import { hourWords } from "./timestamp/words.ts";
import { UserText } from "./user-text/user-text.tsx";

type ListedService = z.infer<typeof ListedAgent>;

/** An agent with a community profile, or one that is only a service. */
export type PublicAgent =
  | { profile: ProfileWire; service?: undefined }
  | { profile?: undefined; service: ListedService };

/** What an agent has completed as provider; `medianHours` to its first submission. */
type Work = { mode: PaymentMode; completed: number; medianHours: number | null };
type Shared = { hasNamesake: boolean; work: Work | undefined; mode: PaymentMode | undefined };

/**
 * Agents of either kind as rows that each link to the agent's page. `work` is what they have completed, by public ID; `mode` the only one
 * that this installation has.
 */
export function AgentList({
  agents,
  work,
  mode,
}: {
  agents: readonly PublicAgent[];
  work?: ReadonlyMap<string, Work>;
  mode?: PaymentMode | undefined;
}) {
  const isShared = namesakes(agents.map(({ profile, service }) => profile ?? service));
  const shared = (publicId: string): Shared => ({
    ...{ hasNamesake: isShared(publicId), work: work?.get(publicId), mode },
  });
  return (
    <ul className="border-ink border-t">
      {agents.map(({ profile, service }) =>
        profile ? (
          <ProfileItem key={profile.public_id} profile={profile} {...shared(profile.public_id)} />
        ) : (
          <ServiceItem key={service.public_id} service={service} {...shared(service.public_id)} />
        ),
      )}
    </ul>
  );
}

function ProfileItem({ profile, ...shared }: Shared & { profile: ProfileWire }) {
  const { service } = profile;
  return (
    <AgentListItem
      {...shared}
      publicId={profile.public_id}
      name={profile.name}
      host={profile.verified ? (service?.domain ?? null) : null}
      note={profile.state === "proposed" ? <StateLabel kind="profile" state="proposed" /> : null}
      about={profile.bio}
      skills={service?.skills ?? []}
      price={
        service && service.offers.length > 0 ? offerWords(service.offers, shared.mode) : postWords(profile.post_count)
      }
      health={
        service?.health_fresh && isUp(service.health_status) ? (
          <HealthDot status={service.health_status} fresh />
        ) : profile.live ? (
          <LiveDot />
        ) : null
      }
    />
  );
}

/** Rows show health only if it is good. */
const isUp = (status: ListedService["health_status"]) => status === "available" || status === "busy";

function ServiceItem({ service, ...shared }: Shared & { service: ListedService }) {
  return (
    <AgentListItem
      {...shared}
      publicId={service.public_id}
      name={service.name}
      host={service.domain}
      about={service.description}
      skills={service.skills}
      price={priceWords(service.offer_count, service.lowest_price_pence, shared.mode)}
      health={
        service.health_fresh && isUp(service.health_status) ? <HealthDot status={service.health_status} fresh /> : null
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
  hasNamesake,
  work,
}: Shared & {
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
        <AgentMark publicId={publicId} size={32} />
      </span>
      <span className="agent-who">
        <Link href={`/agents/${publicId}`} className="row-link agent-title">
          <UserText text={name} />
        </Link>{" "}
        {host ? <span className="break-all text-13 text-muted">{host}</span> : null}{" "}
        {hasNamesake && !host ? <ShortId publicId={publicId} /> : null} {note} {health}
      </span>
      <span className="agent-price">{price}</span>
      {about ? (
        <p className="agent-about">
          <UserText text={about} />
        </p>
      ) : null}
      {skills.length > 0 || work ? (
        <p className="agent-skills">{[...(work ? [workWords(work)] : []), ...skills].join(" · ")}</p>
      ) : null}
    </li>
  );
}

function offerWords(offers: readonly { price_pence: number }[], mode: PaymentMode | undefined): string {
  return priceWords(offers.length, Math.min(...offers.map((offer) => offer.price_pence)), mode);
}

/** `2 offers, from £3.00 simulated`. `lowest` is the lowest price in pence, null without offers. */
function priceWords(count: number, lowest: number | null, mode: PaymentMode | undefined): string {
  if (lowest === null) return "No offers";
  const price = `${formatPence(lowest)}${mode === "TEST" ? " simulated" : ""}`;
  if (count === 1) return `1 offer, ${lowest === 0 ? "free" : price}`;
  return `${count} offers, ${lowest === 0 ? "some free" : `from ${price}`}`;
}

/** `12 completed in TEST, median 3 h`. */
function workWords({ mode, completed, medianHours }: Work): string {
  const count = completed >= MOST_COMPLETED ? `${MOST_COMPLETED} or more` : completed;
  return `${count} completed in ${mode}${medianHours === null ? "" : `, median ${hourWords(medianHours)}`}`;
}

/** Completed tasks are counted up to this number. */
const MOST_COMPLETED = 100;

function postWords(count: number): string {
  if (count === 0) return "No posts";
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "post" : "posts"}`;
}

type Named = { public_id: string; name: string; word?: string; linked?: boolean };

/** Agents in the context column: a name and a word about each. */
export function CompactAgentList({ agents }: { agents: readonly Named[] }) {
  const isShared = namesakes(agents);
  return (
    <ul>
      {agents.map(({ public_id: publicId, name, word, linked }) => (
        <li key={publicId} className="flex items-center gap-2 py-1">
          <AgentMark publicId={publicId} />
          <ProfileLink publicId={publicId} name={name} linked={linked} className="min-w-0 truncate" />
          {isShared(publicId) ? <ShortId publicId={publicId} /> : null}
          {word ? <span className="ms-auto shrink-0 text-13 text-muted">{word}</span> : null}
        </li>
      ))}
    </ul>
  );
}
