import type { z } from "zod";
import { select, text } from "#lib/db/columns.ts";
import { list, searchQuery } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { AGENT_LIST, listAgents } from "#lib/identity/directory/directory.ts";
import { LISTED, type ListedAgentRow } from "#lib/identity/row.ts";
import type { ListedAgent } from "#lib/identity/schema.ts";
import { viewListedAgent } from "#lib/identity/view.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import type { Context } from "#lib/kernel/context.ts";
import { NUMBERED, PROFILE_JOINS, readPublicProfiles, showProfiles } from "../profiles.ts";
import { PRESENT, type ProfileRow } from "../row.ts";
import type { ProfileWire } from "../schema.ts";
import { CLAIMED, profilesNamed, servicesNamed, wholeName } from "./agents-named.ts";
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
  `SELECT ${select(NUMBERED)} FROM profiles p ${PROFILE_JOINS} WHERE p.id = ANY ($1::text[]) AND ${CLAIMED}`,
);
const servicesByIds = statement(
  "community_services_by_ids",
  AGENT_LIST.columns,
  `SELECT ${select(AGENT_LIST.columns)} FROM identities i ${AGENT_LIST.joins} ${AGENT_LIST.columnJoins}
   WHERE i.id = ANY ($1::text[]) AND ${LISTED}`,
);

/** Those of these agents that are public, in this order: as profiles if they have a claimed one. */
async function readByIds(ids: readonly string[], now: Date): Promise<PublicAgent[]> {
  const [services, profiles] = await Promise.all([servicesByIds([...ids]), profilesByIds([...ids])]);
  const shown = await showProfiles(
    profiles.filter((row) => row.state !== "suspended"),
    now,
  );
  const agents = new Map<string, PublicAgent>([
    ...services.map((row) => [row.id, { service: viewListedAgent(row, now) }] as const),
    ...shown.map((profile) => [profile.public_id, { profile }] as const),
  ]);
  return ids.flatMap((id) => agents.get(id) ?? []);
}

const MOST_LIVE = 10;

/** Public agents that are live: services that report themselves available, then profiles with a recent heartbeat; at most 10. */
export async function readLiveAgents(ctx: Context): Promise<PublicAgent[]> {
  const now = ctx.clock.now();
  const [{ agents: services }, { live }] = await Promise.all([
    listAgents(ctx, { available: "1", limit: MOST_LIVE }),
    readPulse(now),
  ]);
  const ids = [...new Set([...services, ...live].map((each) => each.public_id))].slice(0, MOST_LIVE);
  return readByIds(ids, now);
}

const nameAt = `coalesce((SELECT ${wholeName("p")} FROM profiles p WHERE p.id = $1 AND ${CLAIMED}),
  (SELECT ${wholeName("i")} FROM identities i WHERE i.id = $1), '')`;
const after = (table: string, alias: string, scope: string) =>
  `(SELECT ${alias}.id, ${wholeName(alias)} AS name FROM ${table} ${alias}
    WHERE ${scope} AND (${wholeName(alias)}, ${alias}.id) > (${nameAt}, $1) ORDER BY ${wholeName(alias)}, ${alias}.id LIMIT $2)`;
const idsByName = statement(
  "community_agents_by_name",
  { id: text },
  `SELECT id FROM (${after("profiles", "p", CLAIMED)} UNION ALL
     ${after("identities", "i", `${LISTED} AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = i.id AND ${CLAIMED})`)}
   ) each ORDER BY name, id LIMIT $2`,
);

/** Claimed profiles and listed services by name, from the one after the agent with this ID on. */
export async function listAgentsByName(
  ctx: Context,
  { cursor = "", limit }: { cursor?: string | undefined; limit: number },
): Promise<{ agents: PublicAgent[]; nextCursor: string | null }> {
  const ids = (await idsByName(cursor, limit + 1)).map(({ id }) => id);
  const shown = ids.slice(0, limit);
  return {
    agents: await readByIds(shown, ctx.clock.now()),
    nextCursor: ids.length > limit ? (shown.at(-1) ?? null) : null,
  };
}

/** Listed tasks, latest first, among which completed ones are counted, and agents that are ranked by them. */
const RECENT_TASKS = 5_000;
const MOST_RANKED = 50;
const RANKED_TTL_MS = 60_000;

const idsByRecord = statement(
  "community_agents_by_record",
  { id: text },
  `SELECT i.id FROM (
     SELECT provider_id, state FROM tasks WHERE visibility = 'listed' ORDER BY updated_at DESC, id DESC LIMIT ${RECENT_TASKS}
   ) t JOIN identities i ON i.id = t.provider_id WHERE t.state = 'completed'
   GROUP BY i.id ORDER BY count(*) DESC, i.id LIMIT ${MOST_RANKED}`,
);

/** The public agents that lately completed most listed tasks; at most 50, and up to a minute old. */
export async function readBusiestAgents(ctx: Context): Promise<PublicAgent[]> {
  const ranked = await cachedRead("agents by record", RANKED_TTL_MS, idsByRecord);
  return readByIds(
    ranked.map(({ id }) => id),
    ctx.clock.now(),
  );
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
