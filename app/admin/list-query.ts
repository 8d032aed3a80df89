import type { ZodObject, ZodRawShape, z } from "zod";
import { neighbours, type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";

export const PAGE_SIZE = 50;

export type ListQuery<Input> = PageQuery<Input> & { trail: string | string[] | undefined };

/** Reads the address of an administrator's list: `names` are its filters, beside the cursor. */
export async function readListQuery<Schema extends ZodObject<ZodRawShape>>(
  schema: Schema,
  searchParams: SearchParams,
  names: readonly string[],
): Promise<ListQuery<z.output<Schema>>> {
  const params = await searchParams;
  const query = readPageQuery(schema, params, [...names, "cursor"], (given) => ({
    ...given,
    limit: String(PAGE_SIZE),
  }));
  return { ...query, trail: params.trail };
}

/** Addresses of the pages before and after. `isCursor` tells a cursor of this list from other text. */
export function pagesBeside(
  path: string,
  { given, trail }: ListQuery<unknown>,
  nextCursor: string | null,
  isCursor?: (text: string) => boolean,
) {
  return neighbours(path, given, trail, nextCursor, isCursor);
}

/** What narrows the list, without the place in it. */
export function filtersOf({ given }: ListQuery<unknown>): string[] {
  const { cursor, ...filters } = given;
  return Object.values(filters);
}
