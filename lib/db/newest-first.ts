import type { QueryResultRow } from "pg";
import { type Point, page } from "#lib/kernel/cursor.ts";
import { type KeysetList, keyset } from "./keyset.ts";

/**
 * A keyset list in pages, as workflow lists are read: the newest rows below the cursor that pass every filter that has a value,
 * and the cursor to the next page.
 */
export function newestFirst<Row extends QueryResultRow, Filter extends string>(list: KeysetList<Filter>) {
  const read = keyset<Row, Filter>(list);
  return async (point: Point, wanted: Partial<Record<Filter, unknown>>) =>
    page(await read({ before: point.cursor, limit: point.limit }, wanted), point);
}
