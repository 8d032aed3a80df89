import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import type { Context } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { isFresh } from "../directory/matching.ts";
import { LISTED_OFFER, OFFER, VISIBLE } from "../row.ts";
import { viewListedOffer } from "../view.ts";

const offerById = statement(
  "identity_offer",
  LISTED_OFFER,
  `SELECT ${db.select(LISTED_OFFER)} FROM offers o JOIN identities i ON i.id = o.identity_id
   WHERE o.id = $1 AND o.enabled AND ${VISIBLE}`,
);

/** One enabled offer of a public identity. @throws ApiError not_found */
export async function showOffer(_ctx: Context, offerId: string) {
  const [row] = await offerById(offerId);
  if (!row) throw notFound();
  return viewListedOffer(row);
}

const REPORT = {
  id: db.text.from("h.identity_id"),
  status: db.healthStatus.from("h.status"),
  reportedAt: db.timestamp.from("h.reported_at"),
};

const reportsOf = statement(
  "identity_health_of",
  REPORT,
  `SELECT ${db.select(REPORT)} FROM health_reports h WHERE h.identity_id = ANY($1::text[])`,
);

/** The latest health reports of these identities, by public ID; those that never reported have none. */
export async function readHealthOf({ clock }: Context, publicIds: readonly string[]) {
  if (publicIds.length === 0) return new Map();
  const now = clock.now();
  const rows = await reportsOf([...new Set(publicIds)]);
  return new Map(
    rows.map(({ id, status, reportedAt }) => [
      id,
      { status, reportedAt: reportedAt.toISOString(), fresh: isFresh(reportedAt, now) },
    ]),
  );
}

const ORDERABLE = {
  ...OFFER,
  requesterHost: db.nullable(db.text).from("(SELECT r.host FROM identities r WHERE r.id = $2)"),
};
export type OrderableOffer = db.RowOf<typeof ORDERABLE>;

const orderableById = statement(
  "identity_orderable",
  ORDERABLE,
  `SELECT ${db.select(ORDERABLE)} FROM offers o JOIN identities i ON i.id = o.identity_id WHERE o.id = $1 AND i.public_profile`,
);

/** An offer of a public profile, disabled or not, for who wants to order it. */
export async function findOrderable(offerId: string, requesterId: string): Promise<OrderableOffer | undefined> {
  const [offer] = await orderableById(offerId, requesterId);
  return offer;
}
