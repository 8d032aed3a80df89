import type { z } from "zod";
import { text } from "#lib/db/columns.ts";
import { newestFirst, searchQuery } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { LISTED_OFFER, OFFER, VISIBLE } from "../row.ts";
import type { MyOffersQuery, OffersQuery } from "../schema.ts";
import { viewListedOffer, viewOffer } from "../view.ts";
import { showOffer } from "./show-offer.ts";

const offers = {
  table: "offers",
  alias: "o",
  columns: LISTED_OFFER,
};
const filters = {
  q: (placeholder: string) => `o.search @@ ${searchQuery(placeholder)}`,
  skill: (placeholder: string) => `o.skill = ${placeholder}`,
  max: (placeholder: string) => `o.price_pence <= ${placeholder}`,
};

const readOffers = newestFirst({
  ...offers,
  name: "identity_offers",
  // The indexes hold only listed offers, so offers that are not listed cannot make this slower, however many there are.
  scope: "o.listed",
  columnJoins: "JOIN identities i ON i.id = o.identity_id",
  filters,
  indexed: ["skill"],
});

const readOffersOf = newestFirst({
  ...offers,
  name: "identity_offers_of",
  scope: "o.enabled",
  joins: `JOIN identities i ON i.id = o.identity_id AND ${VISIBLE}`,
  filters: { ...filters, agent: (placeholder) => `o.identity_id = ${placeholder}` },
  indexed: ["agent"],
});

const readOwnOffers = newestFirst({
  table: "offers",
  alias: "o",
  scope: "true",
  columns: OFFER,
  name: "identity_offers_own",
  filters: { owner: (placeholder) => `o.identity_id = ${placeholder}` },
  indexed: ["owner"],
});

type Page = Pick<z.output<typeof MyOffersQuery>, "cursor" | "limit">;

/** An identity's offers, newest first, those that are not enabled as well. */
export async function offersOf(owner: string, page: Page) {
  const { rows, nextCursor } = await readOwnOffers(page, { owner });
  return { offers: rows.map(viewOffer), next_cursor: nextCursor };
}

/** The caller's own offers. */
export const myOffers = (ctx: ServiceContext, input: z.output<typeof MyOffersQuery>) => offersOf(ctx.actor.id, input);

const visible = statement(
  "identity_visible",
  { id: text },
  `SELECT i.id FROM identities i WHERE i.id = $1 AND ${VISIBLE}`,
);

/**
 * Enabled offers, newest first: of every listed identity, or of one public identity, whether verified or not.
 * @throws ApiError not_found for an identity that is unknown, hidden or suspended
 */
export async function listOffers(ctx: Context, input: z.output<typeof OffersQuery>) {
  if (input.offer_id) return { offers: [await showOffer(ctx, input.offer_id)], next_cursor: null };
  const wanted = { q: input.q, skill: input.skill, max: input.max_price_pence };
  const agent = input.public_id;
  const [{ rows, nextCursor }, [known]] = agent
    ? await Promise.all([readOffersOf(input, { ...wanted, agent }), visible(agent)])
    : [await readOffers(input, wanted), [true]];
  if (!known) throw notFound();
  return { offers: rows.map(viewListedOffer), next_cursor: nextCursor };
}
