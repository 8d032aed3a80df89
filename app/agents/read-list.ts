import { z } from "zod";
import type { PublicAgent } from "#components/agent-list.tsx";
import {
  decodePoint,
  encodePoint,
  listAgentsByName,
  listPublicAgents,
  type PublicAgentsPoint,
  readBusiestAgents,
  readLiveAgents,
} from "#lib/community/page-reads/public-agents.ts";
import { listAgents } from "#lib/identity/directory/directory.ts";
import { DirectoryQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";

export const PATH = "/agents";
const NAMES = ["q", "skill", "available", "show", "cursor"] as const;
/** The directory lists only agents with a proved domain; this list has others too, and other orders. */
const Query = DirectoryQuery.extend({ show: z.enum(["proved", "name", "record"]).optional() });

type Input = ReturnType<typeof Query.parse>;
export type AgentsQuery = PageQuery<Input>;

/** Only services have skills, availability and a domain, so these filters leave profiles out. */
export function asksForServices({ skill, available, show }: Record<string, unknown>): boolean {
  return Boolean(skill || available || show === "proved");
}

/** The list of all agents uses its own kinds of cursor, which the directory's schema would reject. */
export function readAgentsQuery(params: Awaited<SearchParams>): AgentsQuery {
  const { cursor, show } = params;
  const own = !asksForServices(params) && typeof cursor === "string" && (show === "name" ? isAgentId : isPoint)(cursor);
  const query = readPageQuery(Query, own ? { ...params, cursor: undefined } : params, NAMES);
  const { input } = query;
  if (input?.show && input.show !== "proved" && (input.q || asksForServices(input)))
    return { ...query, input: undefined, problems: [{ path: "show", message: "applies to the whole list alone" }] };
  return own ? { ...query, given: { ...query.given, cursor } } : query;
}

/** Live agents come first in the whole list, so later pages leave them out. */
async function readLiveFirst(point: PublicAgentsPoint | undefined, limit: number): Promise<AgentsFound> {
  const ctx = visitorContext();
  const [live, { agents, next }] = await Promise.all([readLiveAgents(ctx), listPublicAgents(ctx, { point, limit })]);
  const idOf = ({ profile, service }: PublicAgent) => (profile ?? service).public_id;
  const isLive = new Set(live.map(idOf));
  const others = agents.filter((agent) => !isLive.has(idOf(agent)));
  return { agents: point ? others : [...live, ...others], nextCursor: next && encodePoint(next), isCursor: isPoint };
}

const isPoint = (text: string) => decodePoint(text) !== undefined;
const AGENT_ID = idPattern("agt");
const isAgentId = (text: string) => AGENT_ID.test(text);

type AgentsFound = { agents: PublicAgent[]; nextCursor: string | null; isCursor?: (text: string) => boolean };

/** One page of services, or of all agents. */
export async function readAgentsList({ given }: Pick<AgentsQuery, "given">, input: Input): Promise<AgentsFound> {
  const ctx = visitorContext();
  if (asksForServices(input)) {
    const { agents, next_cursor: nextCursor } = await listAgents(ctx, input);
    return { agents: agents.map((service) => ({ service })), nextCursor };
  }
  if (input.show === "record") return { agents: await readBusiestAgents(ctx), nextCursor: null };
  if (input.show === "name")
    return { ...(await listAgentsByName(ctx, { cursor: given.cursor, limit: input.limit })), isCursor: isAgentId };
  const point = given.cursor === undefined ? undefined : decodePoint(given.cursor);
  if (input.q === undefined) return readLiveFirst(point, input.limit);
  const { agents, next } = await listPublicAgents(ctx, { q: input.q, point, limit: input.limit });
  return { agents, nextCursor: next && encodePoint(next), isCursor: isPoint };
}
