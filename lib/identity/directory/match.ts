import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import { firstRows } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { ACTING, LISTED_OFFER } from "../row.ts";
import type { MatchQuery } from "../schema.ts";
import { viewOffer } from "../view.ts";
import { freshForSeconds, freshSince } from "./matching.ts";

const MATCH = { ...LISTED_OFFER, reportedAt: db.timestamp.from("h.reported_at") };

// The conditions of `matchConditions` as one query. `matchable` covers all of them except budget and health: the index
// `offers_by_price`, which this reads in order, has only each matchable agent's cheapest offer for a skill. So each agent is
// read once, and only as many agents as the page needs: the inner LIMIT keeps the planner from joining all of them. An agent
// whose health report is no longer fresh costs one look-up, until it is marked as dormant (see lib/identity/heartbeat.ts).
const matchesAmong = (matchable: "matchable" | "matchable_with_schema") =>
  firstRows(
    `SELECT ${db.select(MATCH)}
     FROM offers o CROSS JOIN LATERAL (
       SELECT identity_id, reported_at FROM health_reports
       WHERE identity_id = o.identity_id AND status = 'available' AND reported_at >= $3 LIMIT 1
     ) h CROSS JOIN LATERAL (
       SELECT i.name, i.host FROM identities i WHERE i.id = h.identity_id AND ${ACTING} LIMIT 1
     ) i
     WHERE o.${matchable} AND o.skill = $1 AND o.price_pence <= $2
     ORDER BY o.price_pence, o.seq`,
    "$4",
  );
const readMatches = statement("identity_match", MATCH, matchesAmong("matchable"));
const readMatchesWithSchema = statement("identity_match_schema", MATCH, matchesAmong("matchable_with_schema"));

/** Who is eligible now, cheapest first, then the offer that has stood longest. */
export async function match(ctx: Context, input: z.output<typeof MatchQuery>) {
  const now = ctx.clock.now();
  const read = input.has_schema ? readMatchesWithSchema : readMatches;
  const rows = await read(input.skill, input.budget_pence, freshSince(now), input.limit);
  return {
    matches: rows.map((row) => ({
      agent: { public_id: row.identityId, name: row.agentName, domain: row.agentHost },
      offer: viewOffer(row),
      price_pence: row.pricePence,
      health_reported_at: row.reportedAt.toISOString(),
      fresh_for_seconds: freshForSeconds(row.reportedAt, now),
    })),
  };
}
