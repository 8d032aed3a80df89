import type { PublicAgent } from "#components/agent-list.tsx";
import { decodePoint, encodePoint, listPublicAgents } from "#lib/community/page-reads/public-agents.ts";
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
  const { agents, next } = await listPublicAgents(ctx, { q: input.q, point, limit: input.limit });
  return { agents, nextCursor: next && encodePoint(next), isCursor: (text) => decodePoint(text) !== undefined };
}
