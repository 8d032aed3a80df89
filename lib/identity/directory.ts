import type { z } from "zod";
import { newestFirst } from "#lib/db/newest-first.ts";
import { searchQuery } from "#lib/db/search-query.ts";
import type { Context } from "#lib/kernel/context.ts";
import { freshSince } from "./matching.ts";
import { ACTING, AGENT_COLUMNS, LISTED } from "./read.ts";
import type { DirectoryQuery } from "./schema.ts";
import { type AgentRow, viewListedAgent } from "./view.ts";

export type ListedAgentRow = AgentRow & { offerCount: number; lowestPricePence: number | null };

/** How a list of agents is read, whoever is in it; `i` stands for identities, `h` for health_reports. */
export const AGENT_LIST = {
  table: "identities",
  alias: "i",
  joins: "LEFT JOIN health_reports h ON h.identity_id = i.id",
  columnJoins: `CROSS JOIN LATERAL (
    SELECT count(*)::int AS offers, min(o.price_pence) AS lowest FROM offers o WHERE o.identity_id = i.id AND o.enabled
  ) priced`,
  columns: `${AGENT_COLUMNS}, priced.offers AS "offerCount", priced.lowest AS "lowestPricePence"`,
};

const readAgents = newestFirst<ListedAgentRow, "q" | "skill" | "since">({
  ...AGENT_LIST,
  name: "identity_directory",
  scope: LISTED,
  filters: {
    q: (placeholder) => `i.search @@ ${searchQuery(placeholder)}`,
    skill: (placeholder) => `i.skills @> ARRAY[${placeholder}::text]`,
    since: (placeholder) => `h.status = 'available' AND h.reported_at >= ${placeholder} AND ${ACTING}`,
  },
});

/** Public profiles with a proved domain, newest first. */
export async function listAgents(ctx: Context, input: z.output<typeof DirectoryQuery>) {
  const now = ctx.clock.now();
  const { rows, nextCursor } = await readAgents(input, {
    q: input.q,
    skill: input.skill,
    since: input.available && freshSince(now),
  });
  return { agents: rows.map((row) => viewListedAgent(row, now)), next_cursor: nextCursor };
}
