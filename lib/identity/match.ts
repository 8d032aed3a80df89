import type { z } from "zod";
import { firstRows } from "#lib/db/listing.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { freshForSeconds, freshSince } from "./matching.ts";
import { ACTING, LISTED, OFFER_COLUMNS } from "./read.ts";
import type { MatchQuery } from "./schema.ts";
import { type OfferRow, viewOffer } from "./view.ts";

type MatchRow = OfferRow & { agentName: string; agentHost: string; reportedAt: Date };

// The conditions of `matchConditions`, for everybody at once; each agent stands in it once, with its cheapest offer. The
// order is that of the index `offers_by_price`, and each offer's agent is looked up by itself (the inner LIMIT sees to that), so
// that no more offers are looked at than the page needs.
const readMatches = statement<MatchRow>(
  "identity_match",
  firstRows(
    `SELECT ${OFFER_COLUMNS}, a.name AS "agentName", a.host AS "agentHost", a.reported_at AS "reportedAt"
     FROM offers o CROSS JOIN LATERAL (
       SELECT i.name, i.host, h.reported_at FROM identities i JOIN health_reports h ON h.identity_id = i.id
       WHERE i.id = o.identity_id AND ${LISTED} AND ${ACTING} AND o.skill = ANY (i.skills) AND h.status = 'available' AND h.reported_at >= $3
       LIMIT 1
     ) a
     WHERE o.enabled AND o.skill = $1 AND o.price_pence <= $2 AND NOT EXISTS (
       SELECT FROM offers c WHERE c.identity_id = o.identity_id AND c.enabled AND c.skill = o.skill
         AND (c.price_pence, c.seq) < (o.price_pence, o.seq))
     ORDER BY o.price_pence, o.seq`,
    "$4",
  ),
);

/** Who is eligible now, cheapest first, then the offer that has stood longest. */
export async function match(ctx: Context, input: z.output<typeof MatchQuery>) {
  const now = ctx.clock.now();
  const rows = await readMatches(input.skill, input.budget_pence, freshSince(now), input.limit);
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
