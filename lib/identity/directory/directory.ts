import type { z } from "zod";
import { newestFirst, searchQuery } from "#lib/db/list.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ACTING, LISTED, LISTED_AGENT } from "../row.ts";
import type { DirectoryQuery } from "../schema.ts";
import { viewListedAgent } from "../view.ts";
import { freshSince } from "./matching.ts";

/** What every list of agents has in common; `i` stands for identities, `h` for health_reports. */
export const AGENT_LIST = {
  table: "identities",
  alias: "i",
  joins: "LEFT JOIN health_reports h ON h.identity_id = i.id",
  columnJoins: `CROSS JOIN LATERAL (
    SELECT count(*)::int AS offers, min(o.price_pence) AS lowest FROM offers o WHERE o.identity_id = i.id AND o.enabled
  ) priced`,
  columns: LISTED_AGENT,
};

const readAgents = newestFirst({
  ...AGENT_LIST,
  name: "identity_directory",
  scope: LISTED,
  filters: {
    q: (placeholder) => `i.search @@ ${searchQuery(placeholder)}`,
    skill: (placeholder) => `i.skills @> ARRAY[${placeholder}::text]`,
    since: (placeholder) => `h.status = 'available' AND h.reported_at >= ${placeholder} AND ${ACTING}`,
    hasSchema: (placeholder) => `${placeholder} AND EXISTS (
      SELECT FROM offers o WHERE o.identity_id = i.id AND o.listed AND o.input_schema IS NOT NULL)`,
  },
});

/** Public identities with a proved domain, newest first. */
export async function listAgents(ctx: Context, input: z.output<typeof DirectoryQuery>) {
  const now = ctx.clock.now();
  const { rows, nextCursor } = await readAgents(input, {
    q: input.q,
    skill: input.skill,
    since: input.available && freshSince(now),
    hasSchema: input.has_schema && true,
  });
  return { agents: rows.map((row) => viewListedAgent(row, now)), next_cursor: nextCursor };
}
