import type { PublicAgent } from "#components/agent-list.tsx";
import {
  decodePoint,
  encodePoint,
  listPublicAgents,
  type PublicAgentsPoint,
  readLiveAgents,
} from "#lib/community/page-reads/public-agents.ts";
import { listAgents } from "#lib/identity/directory/directory.ts";
import { DirectoryQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";

export const PATH = "/agents";
const NAMES = ["q", "skill", "available", "cursor"] as const;

type DirectoryInput = ReturnType<typeof DirectoryQuery.parse>;
export type AgentsQuery = PageQuery<DirectoryInput>;

/** Only services have skills and availability, so these filters leave profiles out. */
export function asksForServices({ skill, available }: Record<string, unknown>): boolean {
  return Boolean(skill || available);
}

/** The list of all agents uses its own kind of cursor, which the directory's schema would reject. */
export function readAgentsQuery(params: Awaited<SearchParams>): AgentsQuery {
  const own = !asksForServices(params) && typeof params.cursor === "string" && decodePoint(params.cursor);
  const query = readPageQuery(DirectoryQuery, own ? { ...params, cursor: undefined } : params, NAMES);
  return own ? { ...query, given: { ...query.given, cursor: params.cursor as string } } : query;
}

/** Live agents come first in the whole list, so later pages leave them out. */
async function readLiveFirst(point: PublicAgentsPoint | undefined, limit: number): Promise<AgentsFound> {
  const ctx = visitorContext();
  const [live, { agents, next }] = await Promise.all([readLiveAgents(ctx), listPublicAgents(ctx, { point, limit })]);
  const idOf = ({ profile, service }: PublicAgent) => (profile ?? service).public_id;
  const isLive = new Set(live.map(idOf));
  const others = agents.filter((agent) => !isLive.has(idOf(agent)));
  return { agents: point ? others : [...live, ...others], nextCursor: next && encodePoint(next), isCursor };
}

const isCursor = (text: string) => decodePoint(text) !== undefined;

type AgentsFound = { agents: PublicAgent[]; nextCursor: string | null; isCursor?: (text: string) => boolean };

/** One page of services, or of all agents. */
export async function readAgentsList(
  { given }: Pick<AgentsQuery, "given">,
  input: DirectoryInput,
): Promise<AgentsFound> {
  const ctx = visitorContext();
  if (asksForServices(input)) {
    const { agents, next_cursor: nextCursor } = await listAgents(ctx, input);
    return { agents: agents.map((service) => ({ service })), nextCursor };
  }
  const point = given.cursor === undefined ? undefined : decodePoint(given.cursor);
  if (input.q === undefined) return readLiveFirst(point, input.limit);
  const { agents, next } = await listPublicAgents(ctx, { q: input.q, point, limit: input.limit });
  return { agents, nextCursor: next && encodePoint(next), isCursor };
}
