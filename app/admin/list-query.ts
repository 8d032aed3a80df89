import type { ZodObject, ZodRawShape, z } from "zod";
import { type PageQuery, readPageQuery, type SearchParams } from "../page-query.ts";

export const PAGE_SIZE = 50;

/** Reads the address of an administrator's list: `names` are its filters, beside the cursor. */
export async function readListQuery<Schema extends ZodObject<ZodRawShape>>(
  schema: Schema,
  searchParams: SearchParams,
  names: readonly string[],
): Promise<PageQuery<z.output<Schema>>> {
  return readPageQuery(schema, await searchParams, [...names, "cursor"], (given) => ({
    ...given,
    limit: String(PAGE_SIZE),
  }));
}
