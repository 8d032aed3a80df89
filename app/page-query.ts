import type { ZodObject, ZodRawShape, z } from "zod";
import { parseInput } from "#lib/api/input.ts";
import { decodeCursor } from "#lib/kernel/cursor.ts";
import { ApiError, type FieldError } from "#lib/kernel/errors.ts";
import { containsSecret } from "#lib/kernel/secrets.ts";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export type PageQuery<Input> = {
  /** The parameters as typed: for the form, and for links to neighbouring pages. */
  given: Record<string, string>;
  /** The cursors of the previous pages, as they are in the address. */
  trail: string | undefined;
} & ({ input: Input; problems?: undefined } | { input?: undefined; problems: FieldError[] });

/**
 * Validates a list page's query parameters with the schema of the list's endpoint. `names` are the parameters the page accepts;
 * empty ones, which forms send, are ignored. `translate` can turn what people type into what the API takes.
 */
export function readPageQuery<Schema extends ZodObject<ZodRawShape>>(
  schema: Schema,
  params: Awaited<SearchParams>,
  names: readonly string[],
  translate: (given: Record<string, string>) => Record<string, unknown> = (given) => ({ ...given }),
): PageQuery<z.output<Schema>> {
  const given: Record<string, string> = {};
  const asked = { given, trail: typeof params.trail === "string" ? params.trail : undefined };
  for (const name of names) {
    const value = params[name];
    if (Array.isArray(value)) return { ...asked, problems: [{ path: name, message: "must be given once" }] };
    if (value === undefined || value.trim() === "") continue;
    // A token pasted into the wrong field is in the address already; keep it out of the page.
    if (containsSecret(value))
      return { ...asked, problems: [{ path: name, message: "must not contain a token or key" }] };
    given[name] = value;
  }
  try {
    return { ...asked, input: parseInput(schema, { value: translate(given) }) };
  } catch (error) {
    if (error instanceof ApiError && error.code === "invalid_input") {
      return { ...asked, problems: error.details.fieldErrors ?? [] };
    }
    throw error;
  }
}

/** The problem with a parameter, as a sentence to show beneath its field. */
export function problemOf(query: PageQuery<unknown>, name: string): string | undefined {
  const problem = query.problems?.find(({ path }) => path === name);
  return problem && `It ${problem.message}.`;
}

const TRAIL_LENGTH = 40;

/**
 * Links to the neighbouring pages. Cursors only lead to older entries, so the address carries the cursors of the previous pages
 * (`trail`); going back is exact however many entries have been added since.
 */
export function neighbours(
  path: string,
  { given, trail }: Pick<PageQuery<unknown>, "given" | "trail">,
  nextCursor: string | null,
  isCursor: (text: string) => boolean = (text) => decodeCursor(text) !== undefined,
): { newerHref: string | null; olderHref: string | null } {
  const { cursor, ...filters } = given;
  const before = trail?.split(".").filter(isCursor) ?? [];
  const href = (to: string | undefined, back: string[]) => {
    const query = new URLSearchParams(filters);
    if (to) query.set("cursor", to);
    if (back.length > 0) query.set("trail", back.slice(-TRAIL_LENGTH).join("."));
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return {
    newerHref: cursor ? href(before.at(-1), before.slice(0, -1)) : null,
    olderHref: nextCursor ? href(nextCursor, cursor ? [...before, cursor] : []) : null,
  };
}
