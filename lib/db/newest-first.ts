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

/**
 * All of these words, in columns that took them in as English or as they stand. Operators are words like any other: phrases and
 * exclusions would have to look at every row that might match. Worked out once per query.
 */
export function searchQuery(placeholder: string): string {
  return `(SELECT plainto_tsquery('english', ${placeholder}) || plainto_tsquery('simple', ${placeholder}))`;
}
