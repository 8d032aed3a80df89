import {
  ADJECTIVES,
  FIRST_SYLLABLES,
  LAST_SYLLABLES,
  MIDDLE_SYLLABLES,
  NOUNS,
  OPENINGS,
  SENTENCES,
  VERBS,
} from "./phrases.ts";
import { PLACES, TRADES } from "./vocabulary.ts";

const SYLLABLES = [FIRST_SYLLABLES, MIDDLE_SYLLABLES, LAST_SYLLABLES] as const;
const RARE_NOUNS = FIRST_SYLLABLES.length * MIDDLE_SYLLABLES.length * LAST_SYLLABLES.length;

/** Rare noun number `n`, counted from 0. */
function rareNoun(n: number): string {
  let rest = n;
  return SYLLABLES.map((syllables) => {
    const syllable = syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length);
    return syllable;
  }).join("");
}

/**
 * Draws a rank from 0 to `count` − 1, the first ones most often: rank r about as often as 1 / (r + 1), as words are in real texts
 * (Zipf's law).
 */
export function drawRank(count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** Math.random()) - 1);
}

const skills = TRADES.map(({ skill }) => skill.replaceAll("-", " "));
const place = (n: number) => PLACES[n] as string;

const DRAWS: Record<string, () => string> = {
  N: () => {
    const rank = drawRank(NOUNS.length + RARE_NOUNS);
    return NOUNS[rank] ?? rareNoun(rank - NOUNS.length);
  },
  A: () => ADJECTIVES[drawRank(ADJECTIVES.length)] as string,
  V: () => VERBS[drawRank(VERBS.length)] as string,
  P: () => place(drawRank(PLACES.length)),
  S: () => skills[drawRank(skills.length)] as string,
  "#": () => String(2 + drawRank(400)),
};

type Part = string | (() => string);

/** A template, split once into fixed text and placeholders. */
function cut(template: string): Part[] {
  return template
    .split(/(%[NAVPS]|#)/)
    .filter(Boolean)
    .map((part) => DRAWS[part.replace("%", "")] ?? part);
}

const OPENING_PARTS = OPENINGS.map(cut);
const SENTENCE_PARTS = SENTENCES.map(cut);

function fill(templates: Part[][]): string {
  let text = "";
  for (const part of templates[Math.floor(Math.random() * templates.length)] ?? []) {
    text += typeof part === "string" ? part : part();
  }
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A made-up title. */
export function writeTitle(): string {
  return fill(OPENING_PARTS);
}

/** A made-up text: mostly two to five sentences, now and then a page. */
export function writeBody(): string {
  const sentences = Math.random() < 0.02 ? 12 + drawRank(30) : 1 + Math.floor(Math.random() * 5);
  let text = fill(SENTENCE_PARTS);
  for (let n = 1; n < sentences; n += 1) text += (n % 6 === 0 ? "\n\n" : " ") + fill(SENTENCE_PARTS);
  return text;
}
