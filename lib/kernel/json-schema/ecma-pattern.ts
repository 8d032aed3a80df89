// JSON Schema's patterns are those of JavaScript with the flag u (ECMA-262). The engine that runs them is RE2, which knows most of them by the same
// characters. These it understands differently, or not at all.

type Range = [from: number, to: number];

const WHITE_SPACE: Range[] = [
  ...([
    [0x9, 0xd],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] satisfies Range[]),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] satisfies Range[]),
];
const LINE_ENDS: Range[] = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
];
const LAST_CHARACTER = 0x10ffff;

const written = (ranges: Range[]) =>
  ranges.map(([from, to]) => `\\x{${from.toString(16)}}-\\x{${to.toString(16)}}`).join("");

function others(ranges: Range[]): Range[] {
  const ends = [-1, ...ranges.map(([, to]) => to)];
  const starts = [...ranges.map(([from]) => from), LAST_CHARACTER + 1];
  return ends.map((end, at): Range => [end + 1, (starts[at] as number) - 1]);
}

/** Within a class; outside, they stand in one of their own. */
const CLASSES: Record<string, string> = { s: written(WHITE_SPACE), S: written(others(WHITE_SPACE)) };
const ANY = `[${written(others(LINE_ENDS))}]`;

/** Long names of general categories. */
const CATEGORIES: Record<string, string> = {
  ...{ Letter: "L", Uppercase_Letter: "Lu", Lowercase_Letter: "Ll", Titlecase_Letter: "Lt", Modifier_Letter: "Lm" },
  ...{ Other_Letter: "Lo", Mark: "M", Nonspacing_Mark: "Mn", Spacing_Mark: "Mc", Enclosing_Mark: "Me", Number: "N" },
  ...{ Decimal_Number: "Nd", Letter_Number: "Nl", Other_Number: "No", Punctuation: "P", Connector_Punctuation: "Pc" },
  ...{ Dash_Punctuation: "Pd", Open_Punctuation: "Ps", Close_Punctuation: "Pe", Initial_Punctuation: "Pi" },
  ...{ Final_Punctuation: "Pf", Other_Punctuation: "Po", Symbol: "S", Math_Symbol: "Sm", Currency_Symbol: "Sc" },
  ...{ Modifier_Symbol: "Sk", Other_Symbol: "So", Separator: "Z", Space_Separator: "Zs", Line_Separator: "Zl" },
  ...{ Paragraph_Separator: "Zp", Other: "C", Control: "Cc", Format: "Cf" },
};

const TOKEN = /\\u(d[89ab]..)\\u(d[c-f]..)|\\p\{([^}]*)\}|\\.|[[\].]|[^\\[\].]+/gisu;

/** The same expression as RE2 writes it; undefined if it is none of ECMA-262 with the flag u. */
export function asRe2(source: string): string | undefined {
  if (!isPattern(source)) return undefined;
  let inClass = false;
  return source.replace(TOKEN, (token, high?: string, low?: string, property?: string) => {
    if (high && low) return `\\x{${codePoint(high, low).toString(16)}}`;
    if (token === "[" || token === "]") inClass = token === "[";
    if (token === "." && !inClass) return ANY;
    if (property !== undefined) return `${token.slice(0, 2)}{${nameOf(property)}}`;
    const among = token.startsWith("\\") ? CLASSES[token.slice(1)] : undefined;
    if (among) return inClass ? among : `[${among}]`;
    return token;
  });
}

const codePoint = (...halves: [string, string]) =>
  String.fromCharCode(...halves.map((half) => Number.parseInt(half, 16))).codePointAt(0) as number;

function isPattern(source: string): boolean {
  try {
    // Only its form is looked at: it is never run here, where it could take for ever.
    new RegExp(source, "u");
    return true;
  } catch {
    return false;
  }
}

/** RE2 knows categories by their short names, and scripts by their long ones. */
function nameOf(property: string): string {
  const [, value = property] = /^(?:General_Category|gc|Script|sc)=(.*)$/.exec(property) ?? [];
  return CATEGORIES[value] ?? value;
}
