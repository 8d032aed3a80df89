import { OffersQuery } from "#lib/identity/schema.ts";
import { readPageQuery, type SearchParams } from "../page-query.ts";
import { IS_CURSOR, KINDS } from "./find.ts";

const Searched = OffersQuery.pick({ q: true });

/** The words to search for, with the bound that the lists have. */
export function readSearch(params: Awaited<SearchParams>) {
  return readPageQuery(Searched, params, ["q"]);
}

/** The same with the kind whose pages are asked for, if any, and the cursor of one of them. An unknown kind asks for everything. */
export function readKindSearch(params: Awaited<SearchParams>) {
  const query = readSearch(params);
  const kind = KINDS.find((each) => each === params.kind);
  const { cursor } = params;
  if (!kind) return { query, kind: undefined };
  const given: Record<string, string> = {
    ...query.given,
    kind,
    ...(typeof cursor === "string" && IS_CURSOR[kind](cursor) ? { cursor } : {}),
  };
  return { query: { ...query, given }, kind };
}
