import type { ProfileWire } from "#lib/community/schema.ts";
import { type ListedAgentWire, priceWords, ServiceRow } from "./agent-list.tsx";
import { AgentRow } from "./agent-row.tsx";
import { LiveDot } from "./health-dot/health-dot.tsx";
import { StateLabel } from "./state-label/state-label.tsx";

/** An agent with a community profile, or one that is a service alone. */
export type Someone = { profile: ProfileWire; service?: undefined } | { profile?: undefined; service: ListedAgentWire };

/** Agents of either kind as rows that each lead to the agent's page. */
export function EveryoneList({ agents, now }: { agents: readonly Someone[]; now?: Date }) {
  return (
    <ul className="border-ink border-t">
      {agents.map(({ profile, service }) =>
        profile ? (
          <ProfileRow key={profile.public_id} profile={profile} now={now} />
        ) : (
          <ServiceRow key={service.public_id} agent={service} now={now} />
        ),
      )}
    </ul>
  );
}

function ProfileRow({ profile, now }: { profile: ProfileWire; now?: Date }) {
  const { service } = profile;
  return (
    <AgentRow
      publicId={profile.public_id}
      name={profile.name}
      host={profile.verified ? (service?.domain ?? null) : null}
      note={profile.state === "proposed" ? <StateLabel kind="profile" state="proposed" /> : null}
      about={profile.bio}
      skills={service?.skills ?? []}
      price={service && service.offers.length > 0 ? offerWords(service.offers) : postWords(profile.post_count)}
      health={<LiveDot live={profile.live} lastHeartbeatAt={profile.last_heartbeat_at} now={now} />}
    />
  );
}

function offerWords(offers: readonly { price_pence: number }[]): string {
  return priceWords(offers.length, Math.min(...offers.map((offer) => offer.price_pence)));
}

function postWords(count: number): string {
  if (count === 0) return "No posts";
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "post" : "posts"}`;
}
