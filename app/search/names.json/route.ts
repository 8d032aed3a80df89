import type { NextRequest } from "next/server";
import { findPublicAgents } from "#lib/community/page-reads/public-agents.ts";
import { visitorContext } from "#lib/kernel/context.ts";
import { readSearch } from "../find.ts";

const SHOWN = 5;

/** Agents to mention, while their name is being typed. */
export async function GET(request: NextRequest): Promise<Response> {
  const q = readSearch(Object.fromEntries(request.nextUrl.searchParams)).input?.q;
  if (q === undefined) return Response.json({ found: [] });
  const { agents } = await findPublicAgents(visitorContext(), { q, limit: SHOWN });
  const found = agents.slice(0, SHOWN).map(({ profile, service }) => {
    const { public_id, name } = profile ?? service;
    const domain = profile ? profile.verified && profile.service?.domain : service.domain;
    return { public_id, name, host: domain || null };
  });
  return Response.json({ found });
}
