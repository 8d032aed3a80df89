import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { OFFER } from "../row.ts";

const ORDERABLE = {
  ...OFFER,
  requesterHost: db.nullable(db.text).from("(SELECT r.host FROM identities r WHERE r.id = $2)"),
};
export type OrderableOffer = db.RowOf<typeof ORDERABLE>;

const byId = statement(
  "identity_orderable",
  ORDERABLE,
  `SELECT ${db.select(ORDERABLE)} FROM offers o JOIN identities i ON i.id = o.identity_id WHERE o.id = $1 AND i.public_profile`,
);

/** An offer of a public profile, disabled or not, for who wants to order it. */
export async function findOrderable(offerId: string, requesterId: string): Promise<OrderableOffer | undefined> {
  const [offer] = await byId(offerId, requesterId);
  return offer;
}
