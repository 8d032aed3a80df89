import type { FieldError } from "./errors.ts";

// Control characters other than line feed and tab, and characters that reorder text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
const LINE_ENDS = /\r\n?/g;
const MAX_DEPTH = 16;

/** Whether a text has no characters that are refused everywhere, and is well-formed. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !FORBIDDEN.test(text.replace(LINE_ENDS, "\n"));
}

/** Line ends become line feeds, composed form (NFC), no white space around. */
export function normalizeText(text: string): string {
  return text.replace(LINE_ENDS, "\n").normalize("NFC").trim();
}

/** A password exactly as typed, including spaces around it, normalised to NFC so that every keyboard gives the same. */
export function verbatimText(text: string): string {
  return text.normalize("NFC");
}

/** Length in characters as people count them in a form: code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The first `max` characters, cut between code points. */
export function clip(text: string, max: number): string {
  // A code point takes one or two units, so only that many are looked at, however long the text is.
  return text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join("");
}

/** How many errors are reported at once. */
export const MAX_FIELD_ERRORS = 50;
/** Far more values than any request needs; each takes time to check. */
const MAX_VALUES = 5_000;
/** How many values may still be looked at; below 0 once something was left out. */
type TreeBudget = { values: number };
export const treeBudget = (): TreeBudget => ({ values: MAX_VALUES });
const MAX_SEGMENT = 100;

/** Shortens one part of a path in an error: a key may be as long as the body, and is repeated for everything below it. */
export function pathSegment(key: PropertyKey): string {
  return clip(String(key), MAX_SEGMENT).toWellFormed();
}

/**
 * Normalises every string of a parsed JSON value in place and returns the value.
 * Strings that hold forbidden characters, nesting beyond 16 levels, and more than 5,000 values are added to `errors`. It stops
 * at 50 errors, because any error is enough to refuse the request, and where a tree is too deep or too large: whatever walked that by
 * recursion would run out of stack. White space and line ends within a JSON Schema and within the fields named `asSent` stay as they
 * are, because data is compared with them.
 */
export function normalizeTree(
  value: unknown,
  errors: FieldError[],
  path = "",
  depth = 0,
  budget = treeBudget(),
  normalize = normalizeText,
  asSent: readonly string[] = [],
): unknown {
  if (typeof value === "string") {
    const text = normalize(value);
    if (!text.isWellFormed()) errors.push({ path, message: "must be well-formed Unicode" });
    // Checked as sent, because trimming removes control characters that count as white space.
    else if (FORBIDDEN.test(value.replace(LINE_ENDS, "\n"))) {
      errors.push({
        path,
        message: BIDI.test(value)
          ? "must not contain bidirectional control characters"
          : "must not contain control characters other than line feed and tab",
      });
    }
    return text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) {
    errors.push({ path, message: `must not be nested deeper than ${MAX_DEPTH} levels` });
    budget.values = -1;
    return value;
  }
  const tree = value as Record<string, unknown>;
  for (const key of Object.keys(tree)) {
    if (budget.values === 0)
      errors.push({ path: path || "body", message: `must not contain more than ${MAX_VALUES} values` });
    budget.values -= 1;
    if (budget.values < 0 || errors.length >= MAX_FIELD_ERRORS) break;
    const segment = pathSegment(key);
    const below = path ? `${path}.${segment}` : segment;
    const isKept =
      (key === "schema" && (tree.kind === "json_schema" || tree.kind === "file_json_schema")) || asSent.includes(key);
    tree[key] = normalizeTree(tree[key], errors, below, depth + 1, budget, isKept ? verbatimText : normalize);
  }
  return tree;
}
