import { isCopy, LEAST_WORDS, printsOf, type Words, wordsOf } from "#lib/community/rules/copies.ts";
import { ADJECTIVES, NOUNS, SENTENCES, VERBS } from "../prisma/seed/phrases.ts";
import { PLACES, TRADES } from "../prisma/seed/vocabulary.ts";
import type { Bench } from "./bench.ts";
import { median, repeatableRandom, round, thousands } from "./statistics.ts";
import { COPIES } from "./targets.ts";

const GOOD = 5_000;
const BAD = 500;
/** Posts of one owner within a day: far more than the limits of posting allow for most. */
const OF_ONE_OWNER = 250;
const ROUNDS = 7;

type Post = { group: string; text: string };

/** Rule 1 over a seeded corpus: good posts that it refuses, copies that it misses, and what it costs the service. */
export async function measureCopies(bench: Bench): Promise<void> {
  const random = repeatableRandom(8);
  const good = Array.from({ length: GOOD }, (_, at) => ({
    group: `own_${at % (GOOD / OF_ONE_OWNER)}`,
    text: write(random),
  }));
  const bad = Array.from({ length: BAD }, (_, at) => disguise(good[at * 7] as Post, at, random));
  const known = new Known();
  const refused = good.filter((post) => !known.admit(post)).length;
  const missed = bad.map((post) => known.admit(post, false));
  const caught = (100 * missed.filter((isMissed) => !isMissed).length) / BAD;
  bench.add({
    figure: "rule 1: good posts refused",
    measured: `${refused} of ${thousands(GOOD)}`,
    target: `≤ ${COPIES.refused}`,
    isMet: refused <= COPIES.refused,
  });
  bench.add({
    figure: "rule 1: copies caught",
    measured: `${round(caught, 1)} % of ${BAD}`,
    target: `≥ ${COPIES.caughtPercent} %`,
    isMet: caught >= COPIES.caughtPercent,
  });
  const characters = median(good.map(({ text }) => text.length));
  const cost = costOf(good.map(({ text }) => text));
  bench.add({
    figure: `rule 1: one post, median ${characters} characters`,
    measured: `${round(cost, 1)} µs`,
    target: `< ${COPIES.microseconds} µs`,
    isMet: cost < COPIES.microseconds,
  });
  for (const length of [10_000, 16_000]) {
    const texts = Array.from({ length: 50 }, () => grow(random, length));
    bench.add({
      figure: `rule 1: one post of ${thousands(length)} characters`,
      measured: `${round(costOf(texts), 1)} µs`,
    });
  }
}

/** What the service keeps of earlier posts, and how it judges the next one by it, but in memory. */
class Known {
  readonly #byPrint = new Map<number, Words[]>();

  /** @returns false if the post is refused */
  admit({ group, text }: Post, isKept = true): boolean {
    const words = wordsOf(text);
    if (words.words.length < LEAST_WORDS) return true;
    const prints = printsOf(words, [group]);
    const candidates = new Set(prints.flatMap((print) => this.#byPrint.get(print) ?? []));
    if ([...candidates].some((earlier) => isCopy(words, earlier))) return false;
    if (isKept) for (const print of prints) this.#byPrint.set(print, [...(this.#byPrint.get(print) ?? []), words]);
    return true;
  }
}

/** Microseconds of processor time for each text: the median of some rounds over all of them. */
function costOf(texts: string[]): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage();
      for (const text of texts) printsOf(wordsOf(text), ["own_1", "host:agents.example"]);
      return process.cpuUsage(before).user / texts.length;
    }),
  );
}

/** From two sentences to some paragraphs. */
function write(random: () => number): string {
  const sentences = 2 + Math.floor(random() ** 2 * 14);
  return Array.from({ length: sentences }, () => sentence(random)).join(" ");
}

function grow(random: () => number, length: number): string {
  let text = "";
  while (text.length < length) text += `${sentence(random)} `;
  return text.slice(0, length);
}

const skills = TRADES.map(({ skill }) => skill.replaceAll("-", " "));

const PARTS: Record<string, readonly string[]> = { N: NOUNS, A: ADJECTIVES, V: VERBS, P: PLACES, S: skills };

function sentence(random: () => number): string {
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] as string;
  const filled = pick(SENTENCES).replace(/%([NAVPS])/g, (_, part: string) => pick(PARTS[part] ?? []));
  return filled.replaceAll("#", () => String(2 + Math.floor(random() * 97)));
}

const CYRILLIC: Record<string, string> = { a: "а", e: "е", o: "о", p: "р", c: "с" };
const DIGITS: Record<string, string> = { o: "0", e: "3", l: "1", s: "5", t: "7" };

/** Ways to post the same again. Each keeps what the text says. */
const WAYS: ((text: string, random: () => number) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => text.split(" ").join("  \n"),
  (text) => [...text].join("\u200b"),
  (text) => text.replace(/[aeopc]/g, (letter) => CYRILLIC[letter] ?? letter),
  (text) => text.replace(/[oelst](?=\W|$)/g, (letter) => DIGITS[letter] ?? letter),
  (text) => [...text].join(" "),
  (text) =>
    text
      .split(/(?<=[.?!]) /)
      .reverse()
      .join(" "),
  (text, random) => `${text} https://one.example/${Math.floor(random() * 1e6)}`,
  (text, random) => text.replace(/\d+/g, () => String(Math.floor(random() * 1_000))),
  // One word in 25 is another.
  (text) =>
    text
      .split(" ")
      .map((word, at) => (at % 25 === 24 ? "really" : word))
      .join(" "),
];

function disguise({ group, text }: Post, at: number, random: () => number): Post {
  return { group, text: (WAYS[at % WAYS.length] as (typeof WAYS)[number])(text, random) };
}
