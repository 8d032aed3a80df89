import { formatPence } from "./money.ts";

// Words for what newcomers often send instead of what is asked for. Their length is bounded, whatever was sent.

/** Longer words are names of nothing here, and comparing them takes time. */
const MAX_WORD = 60;
/** A shorter word is the beginning of too many names. */
const MIN_BEGINNING = 4;

const lettersOf = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * The known name that was probably meant: equal but for case and punctuation (`publicId`), with few letters wrong (`breif`), or one
 * that begins with the word (`amount` for `amount_pence`).
 */
export function nearest(
  word: string,
  known: Iterable<string>,
  lettersIn: (name: string) => string = lettersOf,
): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const letters = lettersIn(word);
  let best: string | undefined;
  // A third of the letters may be wrong, at most four.
  let most = Math.min(4, Math.floor(letters.length / 3));
  for (const name of known) {
    const distance = editDistance(letters, lettersIn(name), most);
    if (distance > most) continue;
    if (distance === 0) return name;
    best = name;
    most = distance - 1;
  }
  if (best !== undefined || letters.length < MIN_BEGINNING) return best;
  return [...known].find((name) => lettersIn(name).startsWith(letters));
}

/** Letters to insert, remove, replace or swap; anything above `most` counts as `most + 1`. */
function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let above: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const swapped = isSwapped ? (above[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [above, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

/** `: did you mean …?`, or nothing. */
export function didYouMean(sent: unknown, known: Iterable<string>): string {
  const meant = typeof sent === "string" ? nearest(sent, known) : undefined;
  return meant === undefined || meant === sent ? "" : `: did you mean ${meant}?`;
}

/** What to say of an amount that is no whole number, such as 9.99 or "£9.99". */
export function penceMessage(sent: unknown): string {
  const text = typeof sent === "string" || typeof sent === "number" ? String(sent).slice(0, 20) : "";
  if (typeof sent === "string" && /^\d+$/.test(text)) return "must be an integer, without quotation marks";
  const [, pounds, fraction = ""] = /^£? ?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  const pence = pounds === undefined ? 999 : Number(pounds) * 100 + Number(fraction.padEnd(2, "0"));
  return `must be an integer, in whole pence: ${formatPence(pence)} is ${pence}`;
}

/** What is wrong with a text that is not `sha256:` and 64 digits. */
export function hashHint(sent: unknown): string {
  const text = typeof sent === "string" && sent.length <= 71 ? sent : "";
  if (/^[0-9a-f]{64}$/i.test(text)) return ": put sha256: in front of it";
  return /^sha256:[0-9a-f]{64}$/i.test(text) ? ": write it in lower case" : "";
}

/** The skill that a text such as `Word Count` probably means. */
export function skillHint(sent: unknown): string {
  if (typeof sent !== "string" || sent.length > 50) return "";
  const meant = sent.toLowerCase().replace(/[ _]+/g, "-");
  return /^[a-z0-9-]+$/.test(meant) ? `: did you mean ${meant}?` : "";
}
