import { RE2JS } from "re2js";
import { asRe2 } from "./ecma-pattern.ts";

/** Bounds of the patterns in one schema: compiling costs time too, above all classes of Unicode characters. */
const MOST_CHARACTERS = 256;
const MOST_CHARACTERS_IN_ALL = 2_000;
const MOST_INSTRUCTIONS = 300;
const MOST_UNICODE_CLASSES = 20;
const UNICODE_CLASS = /\\p/gi;

/** A regular expression that takes time in proportion to the text, whatever the expression is. */
export type Pattern = {
  source: string;
  test(text: string): boolean;
  /** The most steps that a search takes in a text of so many characters. */
  cost(characters: number): number;
};

/** Compiles the patterns of one schema, within its bounds. */
export class Patterns {
  readonly #known = new Map<string, Pattern>();
  #characters = 0;
  #unicodeClasses = 0;

  /** @returns the pattern, or what is wrong with it */
  compile(source: string): Pattern | string {
    const known = this.#known.get(source);
    if (known) return known;
    this.#characters += source.length;
    this.#unicodeClasses += source.match(UNICODE_CLASS)?.length ?? 0;
    if (source.length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
    if (this.#characters > MOST_CHARACTERS_IN_ALL)
      return `makes the schema's patterns longer than ${MOST_CHARACTERS_IN_ALL} characters in all`;
    if (this.#unicodeClasses > MOST_UNICODE_CLASSES)
      return `gives the schema more than ${MOST_UNICODE_CLASSES} Unicode classes (\\p)`;
    const pattern = compilePattern(source);
    if (typeof pattern !== "string") this.#known.set(source, pattern);
    return pattern;
  }
}

function compilePattern(source: string): Pattern | string {
  const written = asRe2(source);
  if (written === undefined) return "must be a regular expression of ECMA-262 with the flag u";
  let expression: RE2JS;
  try {
    // Writes what only JavaScript has, such as \u0041, as this engine has it.
    expression = RE2JS.compile(RE2JS.translateRegExp(written));
  } catch {
    return "must do without look-around, back-references, repeat counts over 1,000 and Unicode properties other than categories and scripts";
  }
  const instructions = expression.programSize();
  if (instructions > MOST_INSTRUCTIONS) return "is too complex: use smaller repeat counts or fewer alternatives";
  return {
    source,
    test: (text) => expression.test(text),
    cost: (characters) => 50 + instructions * (characters + 1),
  };
}
