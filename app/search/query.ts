import { OffersQuery } from "#lib/identity/schema.ts";
import { readPageQuery, type SearchParams } from "../page-query.ts";

/** The words to search for, with the bound that the lists have. */
export function readSearch(params: Awaited<SearchParams>) {
  return readPageQuery(OffersQuery.pick({ q: true }), params, ["q"]);
}
