import type { ZodObject, ZodRawShape, z } from "zod";
import { parseInput } from "#lib/api/input.ts";
import { decodeCursor } from "#lib/kernel/cursor.ts";
import { ApiError, type FieldError } from "#lib/kernel/errors.ts";
import { containsSecret } from "#lib/kernel/secrets.ts";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

export type PageQuery<Input> = {
  /** What was asked for, as it was typed: for the form, and for links to neighbouring pages. */
  given: Record<string, string>;
  /** The cursors of the pages before this one, as the address has them. */
  trail: string | undefined;
} & ({ input: Input; problems?: undefined } | { input?: undefined; problems: FieldError[] });

/**
 * Reads the address of a list with the very schema that the endpoint of that list checks. `names` are the parameters that the
 * page takes; what a form sends empty narrows nothing. `translate` may turn words for people into those of the interface.
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
    // A token pasted into the wrong field is in the address already; it must not go into the page as well.
    if (containsSecret(value)) return { ...asked, problems: [{ path: name, message: "must not hold a token or key" }] };
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

/** What is wrong with the parameter of this name, as a sentence for its field. */
export function problemOf(query: PageQuery<unknown>, name: string): string | undefined {
  const problem = query.problems?.find(({ path }) => path === name);
  return problem && `It ${problem.message}.`;
}

const TRAIL_LENGTH = 40;

/**
 * Addresses of the neighbouring pages. Cursors lead only to older entries; so the address carries the cursors of the pages
 * before it (`trail`), and the way back is exact however many entries have come since.
 */
export function neighbours(
  path: string,
  { given, trail }: Pick<PageQuery<unknown>, "given" | "trail">,
  nextCursor: string | null,
  isCursor: (text: string) => boolean = (text) => decodeCursor(text) !== undefined,
): { newerHref: string | null; olderHref: string | null } {
  const { cursor, ...filters } = given;
  const before = trail?.split(".").filter(isCursor) ?? [];
  const href = (to: string | undefined, way: string[]) => {
    const query = new URLSearchParams(filters);
    if (to) query.set("cursor", to);
    if (way.length > 0) query.set("trail", way.slice(-TRAIL_LENGTH).join("."));
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return {
    newerHref: cursor ? href(before.at(-1), before.slice(0, -1)) : null,
    olderHref: nextCursor ? href(nextCursor, cursor ? [...before, cursor] : []) : null,
  };
}

/** The same question to the interface, as a line to send. */
export function curlOf(baseUrl: string, path: string, query: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) params.set(name, String(value));
  return params.size > 0 ? `curl '${baseUrl}${path}?${params}'` : `curl ${baseUrl}${path}`;
}
