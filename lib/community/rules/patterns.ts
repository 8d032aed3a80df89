import { setImmediate as nextTurn } from "node:timers/promises";
import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";
import { cachedRead } from "#lib/kernel/cached-read.ts";
import { Patterns } from "#lib/kernel/json-schema/pattern.ts";
import { withoutForms } from "./copies.ts";

/** More patterns than this at once would make every post slow. */
export const MOST_PATTERNS = 100;
/** A text of more characters than this takes a pattern about a millisecond. */
const LONG = 1_000;
/** Within this time every process knows of a new or ended pattern. */
const KNOWN_WITHIN_MS = 2_000;

type Text = { title?: string | null | undefined; body: string };
export type PatternSource = { kind: "literal" | "re2"; pattern: string };
type Matcher = { id: string; matches(text: string): boolean };

const ACTIVE = {
  id: db.text.from("id"),
  kind: db.oneOf("literal", "re2").from("kind::text"),
  pattern: db.text.from("pattern"),
};
const active = statement(
  "community_patterns",
  ACTIVE,
  `SELECT ${db.select(ACTIVE)} FROM post_patterns WHERE ended_at IS NULL ORDER BY created_at LIMIT ${MOST_PATTERNS}`,
);

/** A text as patterns see it: without invisible characters and in lower case, so that `FREE\u200b coins` is `free coins`. */
function plain({ title, body }: Text): string {
  return withoutForms(`${title ?? ""}\n${body}`, "NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase();
}

/** @returns the function that says whether a text breaks the pattern, or what is wrong with the pattern */
export function matcherOf({ kind, pattern }: PatternSource): ((text: Text) => boolean) | string {
  const matches = compile({ kind, pattern });
  return typeof matches === "string" ? matches : (text) => matches(plain(text));
}

function compile({ kind, pattern }: PatternSource): ((text: string) => boolean) | string {
  if (kind === "literal") {
    const wanted = plain({ body: pattern }).trim();
    return wanted === "" ? "must have a visible character" : (text) => text.includes(wanted);
  }
  const compiled = new Patterns().compile(`(?i:${pattern})`);
  return typeof compiled === "string" ? compiled : (text) => compiled.test(text);
}

/** The first pattern that a text breaks. */
export async function brokenPattern(text: Text): Promise<string | undefined> {
  const matchers = await cachedRead("community_patterns", KNOWN_WITHIN_MS, async () =>
    (await active()).flatMap(({ id, ...source }): Matcher[] => {
      const matches = compile(source);
      return typeof matches === "string" ? [] : [{ id, matches }];
    }),
  );
  if (matchers.length === 0) return undefined;
  const shown = plain(text);
  for (const { id, matches } of matchers) {
    if (matches(shown)) return id;
    // Many patterns and a long text take a while, so others get their turn in between.
    if (shown.length > LONG) await nextTurn();
  }
  return undefined;
}
