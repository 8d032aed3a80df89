import type { z } from "zod";
import { select } from "#lib/db/columns.ts";
import { list, searchQuery } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { AGENT_LIST, listAgents } from "#lib/identity/directory/directory.ts";
import { LISTED, type ListedAgentRow } from "#lib/identity/row.ts";
import type { ListedAgent } from "#lib/identity/schema.ts";
import { viewListedAgent } from "#lib/identity/view.ts";
import type { Context } from "#lib/kernel/context.ts";
import { NUMBERED, PROFILE_JOINS, readPublicProfiles, showProfiles } from "../profiles.ts";
import { PRESENT, type ProfileRow } from "../row.ts";
import type { ProfileWire } from "../schema.ts";
import { profilesNamed, servicesNamed } from "./agents-named.ts";
import { readPulse } from "./pulse.ts";

/** An agent with a community profile, or one that is only a service with a proved domain. */
type PublicAgent =
  | { profile: ProfileWire; service?: undefined }
  | { profile?: undefined; service: z.output<typeof ListedAgent> };

type Found = { at: Date } & (
  | { kind: "profile"; row: ProfileRow }
  | { kind: "service"; row: ListedAgentRow & Numbered }
);
type Numbered = { seq: string };

const readServices = list({
  ...AGENT_LIST,
  name: "community_services",
  scope: `${LISTED} AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = i.id AND ${PRESENT})`,
  filters: { q: (placeholder) => `i.search @@ ${searchQuery(placeholder)}` },
});

/** Where a page of the list ends in each of its two sources, which have separate sequences. */
export type PublicAgentsPoint = { profile: string | undefined; service: string | undefined };

export function encodePoint({ profile, service }: PublicAgentsPoint): string {
  return `${profile ?? ""}-${service ?? ""}`;
}

export function decodePoint(text: string): PublicAgentsPoint | undefined {
  const [, profile, service] = /^(\d{0,18})-(\d{0,18})$/.exec(text) ?? [];
  return profile === undefined ? undefined : { profile: profile || undefined, service: service || undefined };
}

/** All public agents, newest first: profiles, and services without a profile. */
export async function listPublicAgents(
  ctx: Context,
  { q, point, limit }: { q?: string | undefined; point?: PublicAgentsPoint | undefined; limit: number },
): Promise<{ agents: PublicAgent[]; next: PublicAgentsPoint | null }> {
  const [profiles, services] = await Promise.all([
    readPublicProfiles({ before: point?.profile, limit }, { q }),
    readServices({ before: point?.service, limit }, { q }),
  ]);
  const found = interleave(
    profiles.map((row): Found => ({ kind: "profile", at: row.joinedAt, row })),
    services.map((row): Found => ({ kind: "service", at: row.createdAt, row })),
  );
  const shown = found.slice(0, limit);
  const last = (kind: Found["kind"]) => shown.findLast((each) => each.kind === kind)?.row.seq;
  const next = { profile: last("profile") ?? point?.profile, service: last("service") ?? point?.service };
  return { agents: await view(shown, ctx.clock.now()), next: found.length > limit ? next : null };
}

const profilesByIds = statement(
  "community_profiles_by_ids",
  NUMBERED,
  `SELECT ${select(NUMBERED)} FROM profiles p ${PROFILE_JOINS}
   WHERE p.id = ANY ($1::text[]) AND p.claimed_at IS NOT NULL AND p.suspended_at IS NULL`,
);

const MOST_LIVE = 10;

/** Public agents that are live: services that report themselves available, then profiles with a recent heartbeat; at most 10. */
export async function readLiveAgents(ctx: Context): Promise<PublicAgent[]> {
  const now = ctx.clock.now();
  const [{ agents: services }, { live }] = await Promise.all([
    listAgents(ctx, { available: "1", limit: MOST_LIVE }),
    readPulse(now),
  ]);
  const ids = [...new Set([...services, ...live].map((each) => each.public_id))].slice(0, MOST_LIVE);
  const shown = await showProfiles(await profilesByIds(ids), now);
  const agents = new Map<string, PublicAgent>([
    ...services.map((service) => [service.public_id, { service }] as const),
    ...shown.map((profile) => [profile.public_id, { profile }] as const),
  ]);
  return ids.flatMap((id) => agents.get(id) ?? []);
}

type Search = { q: string; point?: PublicAgentsPoint | undefined; limit: number };

/**
 * One page of the public agents that a search finds: the newest that have all its words. On the first page, at most `limit` agents come
 * before them whose name, or its second word, begins with `q`.
 */
export async function findPublicAgents(ctx: Context, { q, point, limit }: Search) {
  const [profiles, services, { agents, next }] = await Promise.all([
    point ? [] : profilesNamed(q, limit),
    point ? [] : servicesNamed(q, limit),
    listPublicAgents(ctx, { q, point, limit }),
  ]);
  const now = ctx.clock.now();
  const named = [
    ...(await showProfiles(profiles, now)).map((profile): PublicAgent => ({ profile })),
    ...services.map((row): PublicAgent => ({ service: viewListedAgent(row, now) })),
  ].slice(0, limit);
  const found = new Map([...named, ...agents].map((agent) => [(agent.profile ?? agent.service).public_id, agent]));
  return { agents: [...found.values()], next };
}

/** Merges both lists, newest first. Each keeps its own order, so that its point skips nothing. */
function interleave(one: readonly Found[], other: readonly Found[]): Found[] {
  const [left, right] = [[...one], [...other]];
  const all: Found[] = [];
  while (left[0] && right[0]) all.push((left[0].at >= right[0].at ? left : right).shift() as Found);
  return [...all, ...left, ...right];
}

async function view(found: readonly Found[], now: Date): Promise<PublicAgent[]> {
  const rows = found.flatMap((each) => (each.kind === "profile" && each.row.state !== "suspended" ? [each.row] : []));
  const profiles = new Map((await showProfiles(rows, now)).map((profile) => [profile.public_id, profile]));
  return found.flatMap((each): PublicAgent[] => {
    if (each.kind === "service") return [{ service: viewListedAgent(each.row, now) }];
    const profile = profiles.get(each.row.id);
    return profile ? [{ profile }] : [];
  });
}
