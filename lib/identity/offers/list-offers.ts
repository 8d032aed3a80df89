import type { z } from "zod";
import { integer, select, text } from "#lib/db/columns.ts";
import { listBy, newestFirst, searchQuery } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import type { Context, ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { listAgents } from "../directory/directory.ts";
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

const readCheapest = listBy(
  {
    ...offers,
    name: "identity_offers_by_price",
    scope: "o.listed",
    columnJoins: "JOIN identities i ON i.id = o.identity_id",
    filters,
  },
  {
    columns: ["price_pence", "seq"],
    at: (placeholder) => `(SELECT c.price_pence, c.seq FROM offers c WHERE c.id = ${placeholder})`,
    ascending: true,
    cursor: ({ id }) => id,
  },
);

type OfferFilters = { q?: string | undefined; skill?: string | undefined; max_price_pence?: number | undefined };

/** Listed offers, the cheapest first. A cursor is the ID of the last offer of the page before. */
export async function listCheapestOffers({
  cursor,
  limit,
  ...input
}: OfferFilters & { cursor?: string | undefined; limit: number }) {
  const wanted = { q: input.q, skill: input.skill, max: input.max_price_pence };
  const { rows, nextCursor } = await readCheapest({ cursor, limit }, wanted);
  return { offers: rows.map(viewListedOffer), next_cursor: nextCursor };
}

const MOST_LIVE = 10;

const offersOfThese = statement(
  "identity_offers_of_these",
  LISTED_OFFER,
  `SELECT ${select(LISTED_OFFER)} FROM offers o JOIN identities i ON i.id = o.identity_id
   WHERE o.identity_id = ANY ($1::text[]) AND o.listed AND ($2::text IS NULL OR o.skill = $2) AND ($3::int IS NULL OR o.price_pence <= $3)
   ORDER BY o.seq DESC LIMIT ${MOST_LIVE}`,
);

/** The newest offers of agents that report themselves available; at most 10, of ten agents. */
export async function listLiveOffers(ctx: Context, { skill, max_price_pence: max }: OfferFilters) {
  const { agents } = await listAgents(ctx, { available: "1", skill, limit: MOST_LIVE });
  const ids = agents.map((agent) => agent.public_id);
  return (await offersOfThese(ids, skill ?? null, max ?? null)).map(viewListedOffer);
}

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

/** Skills are counted among this many newest offers, so that no size of the table makes it slow. */
const COUNTED_OFFERS = 5_000;
const SHOWN_SKILLS = 10;
const SKILLS_TTL_MS = 60_000;

const skills = statement(
  "identity_offered_skills",
  { skill: text, offers: integer },
  `SELECT skill, count(*)::int AS offers FROM (SELECT skill FROM offers o WHERE o.listed ORDER BY o.seq DESC LIMIT ${COUNTED_OFFERS}) newest
   GROUP BY skill ORDER BY count(*) DESC, skill LIMIT ${SHOWN_SKILLS}`,
);

/** The skills with the most offers, up to a minute old. */
export async function readOfferedSkills(): Promise<string[]> {
  return (await cachedRead("offered skills", SKILLS_TTL_MS, () => skills())).map(({ skill }) => skill);
}

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
