/**
 * Finds near-copies of a text. Two texts are compared by their words and by their letters alone, so that spaces, look-alike letters,
 * invisible characters and another order of sentences make no new text of an old one. Which of the many earlier texts are worth comparing
 * is found by MinHash (Broder, "On the resemblance and containment of documents", 1997) in its one-permutation form. Pure.
 */

/** Texts of fewer words are never copies: everybody says "Thank you" sometimes. */
export const LEAST_WORDS = 8;
/** Texts that differ in a smaller part of their words, or of the sequences of their letters, are copies of each other. */
export const LEAST_DIFFERENCE = 0.05;

const SHINGLE = 5;
const BINS = 64;
const ROWS = 4;
const BANDS = BINS / ROWS;

// Letters of other scripts that look like Latin ones, after decomposition and in lower case (from Unicode's confusables.txt). Both texts of
// a comparison are treated alike, so words of these scripts lose nothing by it.
const LOOK_ALIKES = new Map(
  Object.entries({
    a: "аɑαᴀɐ",
    b: "ЬьƄʙ",
    c: "сϲᴄɔ",
    d: "ԁɗᴅđ",
    e: "еєҽᴇǝə",
    f: "ꜰɟƒ",
    g: "ɡցɢƃ",
    h: "һհʜɥħ",
    i: "іıɩιɪᴉ",
    j: "јϳᴊɾ",
    k: "кκᴋʞ",
    l: "ӏןǀʟł",
    m: "мᴍɯ",
    n: "пոηɴ",
    o: "оοօσᴏø",
    p: "рρᴘ",
    q: "ԛգꞯ",
    r: "гᴦʀɹ",
    s: "ѕꜱ",
    t: "тτᴛʇŧ",
    u: "υսцᴜ",
    v: "νѵᴠʌ",
    w: "ѡԝωᴡʍ",
    x: "хχ",
    y: "уγүʏʎ",
    z: "ᴢ",
  }).flatMap(([latin, others]) => [...others.toLowerCase()].map((other) => [other, latin] as const)),
);
// Letters in circles, in squares and as halves of flags, which do not decompose.
for (const first of [0x1f150, 0x1f170, 0x1f1e6])
  for (let at = 0; at < 26; at += 1) LOOK_ALIKES.set(String.fromCodePoint(first + at), String.fromCharCode(97 + at));

/** A number: alone, after one letter (`v2`), or before the ending of an ordinal, a unit, am or pm. */
const NUMBER = /^(?:\p{L}?\p{N}+|\p{N}+(?:st|nd|rd|th|am|pm|[kmgt]b|[kcm]m|kg|ms|hz|px|\p{L}))$/u;
/** In any other word, one or two digits in a row stand for letters: `hell0`. */
const FEW_DIGITS = /(?<!\p{N})\p{N}{1,2}(?!\p{N})/gu;
/** A short word with digits counts as a number, unless it is one of these. */
const SHORT_WORDS = new Set("all am an and as at be do go he is it me no of on or so to us we".split(" "));
const AS_LETTERS: Record<string, string> = {
  0: "o",
  1: "l",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
  "€": "e",
  "!": "i",
  "|": "l",
};

const INVISIBLE = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const LINK_OR_MENTION = /\b(?:https?:\/\/|www\.)\S+|@agt_\w+/g;

/** How a text is read. Most are ASCII, for which it takes a fraction of the time. */
type Reading = { plain(text: string): string; signs: RegExp; word: RegExp };
const ASCII = /^[\0-\x7f]*$/;
const OF_ASCII: Reading = {
  plain: (text) => text.toLowerCase(),
  signs: /(?<=[a-z])[@$!|]+(?=[a-z])/g,
  word: /[a-z0-9]+/g,
};
const OF_ANY: Reading = {
  plain: (text) =>
    withoutForms(text, "NFKD")
      .replace(INVISIBLE, "")
      .toLowerCase()
      .replace(/[^ -~]/gu, (letter) => LOOK_ALIKES.get(letter) ?? letter),
  signs: /(?<=\p{L})[@$€!|]+(?=\p{L})/gu,
  word: /[\p{L}\p{N}]+/gu,
};
const HAS_DIGIT = /\p{N}/u;

/** Normalises a text, but for two ligatures that stand for whole phrases: they would make it up to 18 times as long. */
export function withoutForms(text: string, form: "NFKC" | "NFKD"): string {
  return text.replaceAll(/[\ufdfa\ufdfb]/g, " ").normalize(form);
}

/** A text as it is compared. */
export type Words = { words: string[]; letters: string };

export function wordsOf(...texts: (string | null | undefined)[]): Words {
  const given = texts.join(" ");
  const { plain, signs, word } = ASCII.test(given) ? OF_ASCII : OF_ANY;
  const words = plain(given).replace(LINK_OR_MENTION, " ").replace(signs, asLetters).match(word) ?? [];
  for (const [at, each] of words.entries()) if (HAS_DIGIT.test(each)) words[at] = plainWord(each);
  return { words, letters: words.join("") };
}

function plainWord(word: string): string {
  const lettered = word.replace(FEW_DIGITS, asLetters);
  return (NUMBER.test(word) && !SHORT_WORDS.has(lettered) ? word : lettered).replace(/\p{N}+/gu, "0");
}

const asLetters = (signs: string) => [...signs].map((sign) => AS_LETTERS[sign] ?? sign).join("");

/** Whether two texts are the same but for less than `LEAST_DIFFERENCE`. */
export function isCopy(one: Words, other: Words): boolean {
  return isNear(one.words, other.words) || isNear(shingles(one.letters), shingles(other.letters));
}

function isNear(one: unknown[], other: unknown[]): boolean {
  const [less, more] = [one.length, other.length].sort((a, b) => a - b) as [number, number];
  const isEnough = (shared: number) => more > 0 && 1 - shared / more < LEAST_DIFFERENCE;
  // Texts of very different lengths need no counting.
  return isEnough(less) && isEnough(shared(counted(one), counted(other)));
}

function counted<Item>(items: Item[]): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function shared(one: Map<unknown, number>, other: Map<unknown, number>): number {
  let total = 0;
  for (const [item, count] of one) total += Math.min(count, other.get(item) ?? 0);
  return total;
}

/** A 32-bit hash of each five letters in a row. */
function shingles(letters: string): number[] {
  const hashes: number[] = [];
  for (let start = 0; start + SHINGLE <= letters.length; start += 1) {
    let hash = 0x811c9dc5;
    for (let at = start; at < start + SHINGLE; at += 1) hash = Math.imul(hash ^ letters.charCodeAt(at), 0x01000193);
    hashes.push(mixed(hash));
  }
  return hashes;
}

/** The last step of MurmurHash3, which spreads a hash over all 32 bits. */
function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/**
 * What a text is found by: numbers of which near-copies of one group share at least one, almost always, and other texts almost never.
 * @param groups those within which copies are looked for, such as an owner
 * @returns `BANDS` signed 32-bit numbers for each group
 */
export function printsOf({ letters }: Words, groups: readonly string[]): number[] {
  const least = new Array<number>(BINS).fill(Number.POSITIVE_INFINITY);
  for (const hash of shingles(letters)) {
    const bin = hash >>> 26;
    least[bin] = Math.min(least[bin] as number, hash);
  }
  const bands = Array.from({ length: BANDS }, (_, band) => {
    let hash = band;
    for (let row = 0; row < ROWS; row += 1) hash = mixed(Math.imul(hash, 31) + leastFrom(least, band * ROWS + row));
    return hash;
  });
  return groups.flatMap((group) => {
    let salt = 0;
    for (let at = 0; at < group.length; at += 1) salt = Math.imul(salt ^ group.charCodeAt(at), 0x01000193);
    return bands.map((band) => mixed(band ^ salt) | 0);
  });
}

/** An empty bin borrows from the next one that holds something (Shrivastava and Li, "Densifying one permutation hashing", 2014). */
function leastFrom(least: readonly number[], bin: number): number {
  for (let step = 0; step < BINS; step += 1) {
    const found = least[(bin + step) % BINS] as number;
    if (found !== Number.POSITIVE_INFINITY) return found + step;
  }
  return 0;
}
