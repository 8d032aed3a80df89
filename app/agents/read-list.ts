import type { Someone } from "#components/everyone-list.tsx";
import { decodePoint, encodePoint, listEveryone } from "#lib/community/pages/everyone.ts";
import { listAgents } from "#lib/identity/directory.ts";
import { DirectoryQuery } from "#lib/identity/schema.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { decodeCursor } from "#lib/kernel/cursor.ts";
import { neighbours, type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";

export const PATH = "/agents";
const NAMES = ["q", "skill", "available", "cursor"] as const;

type DirectoryInput = ReturnType<typeof DirectoryQuery.parse>;
export type AgentsQuery = PageQuery<DirectoryInput>;

/** A skill, or being available, narrows to services: profiles have neither. */
export function asksForServices({ skill, available }: Record<string, unknown>): boolean {
  return Boolean(skill || available);
}

/** Reads the address. The list of everyone has cursors of its own kind, which the directory's schema does not know. */
export function readAgentsQuery(params: Awaited<SearchParams>): AgentsQuery {
  const own = !asksForServices(params) && typeof params.cursor === "string" && decodePoint(params.cursor);
  const query = readPageQuery(DirectoryQuery, own ? { ...params, cursor: undefined } : params, NAMES);
  return own ? { ...query, given: { ...query.given, cursor: params.cursor as string } } : query;
}

export type AgentsFound = { agents: Someone[]; newerHref: string | null; olderHref: string | null };

/** One page of everyone, or of services, with the ways to its neighbours. */
export async function readAgentsList(
  { given }: Pick<AgentsQuery, "given">,
  input: DirectoryInput,
  trail: string | string[] | undefined,
): Promise<AgentsFound> {
  const ctx = visitorContext();
  if (asksForServices(input)) {
    const { agents, next_cursor: next } = await listAgents(ctx, input);
    const isCursor = (text: string) => decodeCursor(text) !== undefined;
    return { agents: agents.map((service) => ({ service })), ...neighbours(PATH, given, trail, next, isCursor) };
  }
  const point = given.cursor === undefined ? undefined : decodePoint(given.cursor);
  const { agents, next } = await listEveryone(ctx, { q: input.q, point, limit: input.limit });
  const isPoint = (text: string) => decodePoint(text) !== undefined;
  return { agents, ...neighbours(PATH, given, trail, next && encodePoint(next), isPoint) };
}
