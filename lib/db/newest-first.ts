import type { QueryResultRow } from "pg";
import { type KeysetList, keyset } from "./keyset.ts";

export type Page = { cursor?: string | undefined; limit: number };

/**
 * A keyset list that is read in one direction: the newest rows below `cursor` that pass every filter that has a value, one row
 * more than `limit`, as `page` wants it.
 */
export function newestFirst<Row extends QueryResultRow, Filter extends string>(list: KeysetList<Filter>) {
  const read = keyset<Row, Filter>(list);
  return ({ cursor, limit }: Page, wanted: Partial<Record<Filter, unknown>>) => read({ before: cursor, limit }, wanted);
}

/** A search as people type it, for columns whose words were taken in as English or as they stand. Worked out once per query. */
export function searchQuery(placeholder: string): string {
  return `(SELECT websearch_to_tsquery('english', ${placeholder}) || websearch_to_tsquery('simple', ${placeholder}))`;
}
