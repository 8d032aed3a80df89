import { RE2JS } from "re2js";

/** Bounds of the patterns in one schema: compiling costs time too, above all classes of Unicode characters. */
const MOST_CHARACTERS = 256;
const MOST_CHARACTERS_IN_ALL = 2_000;
const MOST_INSTRUCTIONS = 300;
const MOST_UNICODE_CLASSES = 20;
const UNICODE_CLASS = /\\p/gi;

/** A regular expression that takes time in proportion to the text, whatever the expression is. */
export type Pattern = {
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
  if (!isOfJavaScript(source)) return "must be a regular expression of ECMA-262 with the flag u";
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(RE2JS.translateRegExp(asRe2(source)));
  } catch {
    return "must do without look-around, back-references, repeat counts over 1,000 and Unicode properties other than categories and scripts";
  }
  const instructions = expression.programSize();
  if (instructions > MOST_INSTRUCTIONS) return "is too complex: use smaller repeat counts or fewer alternatives";
  return {
    test: (text) => expression.test(text),
    cost: (characters) => 50 + instructions * (characters + 1),
  };
}

function isOfJavaScript(source: string): boolean {
  try {
    // Only its form is looked at: it is never run here, where it could take for ever.
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

// `translateRegExp` writes what only JavaScript has, such as \u0041, as RE2 has it. These it leaves, and RE2 understands them differently or not at
// all: white space, any character, surrogate pairs, and the long names of categories.

/** Between the brackets of a class. */
const CLASSES: Record<string, string> = {
  "\\s": "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}",
  "\\S":
    "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}",
};
const ANY = "[^\\n\\r\\x{2028}\\x{2029}]";

const CATEGORIES = new Map(
  `Letter L, Uppercase_Letter Lu, Lowercase_Letter Ll, Titlecase_Letter Lt, Modifier_Letter Lm, Other_Letter Lo, Mark M, Nonspacing_Mark Mn,
  Spacing_Mark Mc, Enclosing_Mark Me, Number N, Decimal_Number Nd, Letter_Number Nl, Other_Number No, Punctuation P, Connector_Punctuation Pc,
  Dash_Punctuation Pd, Open_Punctuation Ps, Close_Punctuation Pe, Initial_Punctuation Pi, Final_Punctuation Pf, Other_Punctuation Po, Symbol S,
  Math_Symbol Sm, Currency_Symbol Sc, Modifier_Symbol Sk, Other_Symbol So, Separator Z, Space_Separator Zs, Line_Separator Zl,
  Paragraph_Separator Zp, Other C, Control Cc, Format Cf`
    .split(/,\s+/)
    .map((names) => names.split(" ") as [string, string]),
);

const TOKEN = /\\u(d[89ab]..)\\u(d[c-f]..)|\\([pP])\{(?:(?:General_Category|gc|Script|sc)=)?([^}]*)\}|\\.|[[\].]/gisu;

function asRe2(source: string): string {
  let inClass = false;
  return source.replace(TOKEN, (token, high?: string, low?: string, p?: string, property = "") => {
    if (high && low) return `\\x{${codePoint(high, low)}}`;
    if (p) return `\\${p}{${CATEGORIES.get(property) ?? property}}`;
    if (token === "." && !inClass) return ANY;
    if (token === "[" || token === "]") inClass = token === "[";
    const members = CLASSES[token];
    return members ? (inClass ? members : `[${members}]`) : token;
  });
}

const codePoint = (...halves: [string, string]) =>
  String.fromCharCode(...halves.map((half) => Number.parseInt(half, 16)))
    .codePointAt(0)
    ?.toString(16);
