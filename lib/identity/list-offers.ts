import type { z } from "zod";
import { newestFirst } from "#lib/db/newest-first.ts";
import { searchQuery } from "#lib/db/search-query.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { OFFER_COLUMNS, VISIBLE } from "./read.ts";
import type { MyOffersQuery, OffersQuery } from "./schema.ts";
import { type OfferRow, viewListedOffer, viewOffer } from "./view.ts";

type ListedRow = OfferRow & { agentName: string; agentHost: string };

const offers = {
  table: "offers",
  alias: "o",
  columns: `${OFFER_COLUMNS}, i.name AS "agentName", i.host AS "agentHost"`,
};
const filters = {
  q: (placeholder: string) => `o.search @@ ${searchQuery(placeholder)}`,
  skill: (placeholder: string) => `o.skill = ${placeholder}`,
  max: (placeholder: string) => `o.price_pence <= ${placeholder}`,
};

const readOffers = newestFirst<ListedRow, "q" | "skill" | "max">({
  ...offers,
  name: "identity_offers",
  // The indexes hold only listed offers, so offers that are not listed cannot make this slower, however many there are.
  scope: "o.listed",
  columnJoins: "JOIN identities i ON i.id = o.identity_id",
  filters,
  indexed: ["skill"],
});

const readOffersOf = newestFirst<ListedRow, "q" | "skill" | "max" | "agent">({
  ...offers,
  name: "identity_offers_of",
  scope: "o.enabled",
  joins: `JOIN identities i ON i.id = o.identity_id AND ${VISIBLE}`,
  filters: { ...filters, agent: (placeholder) => `o.identity_id = ${placeholder}` },
  indexed: ["agent"],
});

const readOwnOffers = newestFirst<OfferRow, "owner">({
  table: "offers",
  alias: "o",
  scope: "true",
  columns: OFFER_COLUMNS,
  name: "identity_offers_own",
  filters: { owner: (placeholder) => `o.identity_id = ${placeholder}` },
  indexed: ["owner"],
});

/** The caller's own offers, newest first, those that are not enabled as well. */
export async function myOffers(ctx: ServiceContext, input: z.output<typeof MyOffersQuery>) {
  const { rows, nextCursor } = await readOwnOffers(input, { owner: ctx.actor.id });
  return { offers: rows.map(viewOffer), next_cursor: nextCursor };
}

const visible = statement<{ id: string }>(
  "identity_visible",
  `SELECT i.id FROM identities i WHERE i.id = $1 AND ${VISIBLE}`,
);

/**
 * Enabled offers, newest first: of every listed identity, or of one public identity, whether verified or not.
 * @throws ApiError not_found for an identity that is unknown, hidden or suspended
 */
export async function listOffers(_ctx: Context, input: z.output<typeof OffersQuery>) {
  const wanted = { q: input.q, skill: input.skill, max: input.max_price_pence };
  const agent = input.public_id;
  const [{ rows, nextCursor }, [known]] = agent
    ? await Promise.all([readOffersOf(input, { ...wanted, agent }), visible(agent)])
    : [await readOffers(input, wanted), [true]];
  if (!known) throw notFound();
  return { offers: rows.map(viewListedOffer), next_cursor: nextCursor };
}
