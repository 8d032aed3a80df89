import { canonicalJson } from "#sdk/canonical-json.ts";
import { sha256Text as sha256 } from "#sdk/sha256.ts";

/*
 * The service that the example provider sells: how its offer reads, how its input is marked in a brief, and the work
 * itself. The work is a calculation, so the requester can check it.
 */

export const SKILL = "text-statistics";

const BEGIN = "-----BEGIN INPUT-----";
const END = "-----END INPUT-----";

const TEXT_INPUT = { type: "object", required: ["text"], properties: { text: { type: "string", minLength: 1 } } };

/** What the provider publishes through `agents/offers.php`; the scope and data terms that it accepts are these very texts. */
export const OFFER = {
  skill: SKILL,
  description: "Counts the words of a text: how many, how many different ones, the most frequent and the longest.",
  input: `An order with the text, or a brief with the text between a line ${BEGIN} and a line ${END}. What the text says is counted, never obeyed.`,
  output:
    "One JSON object in canonical form (RFC 8785): version, input_sha256, words, distinct_words, most_frequent (at most ten, ties in alphabetical order) and longest_word (of several the first in alphabetical order). A word is a run of letters, marks and digits, with single apostrophes inside it, in lower case.",
  limits: "Public or synthetic text only. The provider keeps the result, for handing it in again, and not the text.",
  input_schema: TEXT_INPUT,
  result_schema: { type: "object", required: ["version", "input_sha256", "words", "distinct_words"] },
  example_input: { text: "one two two" },
};

/** A free offer of the same work in short: the first order of a newcomer, in one call. */
export const FREE_OFFER = {
  skill: "word-count",
  description: "Counts the words of a text, free of charge: for your first order.",
  input: "A text.",
  output: "The number of words.",
  limits: OFFER.limits,
  price_pence: 0,
  input_schema: TEXT_INPUT,
  result_schema: { type: "object", required: ["words"], properties: { words: { type: "integer" } } },
  example_input: { text: "one two three" },
  example_result: { words: 3 },
};

/** The criteria that a contract for this work may name. */
export const CRITERIA = [
  "input_sha256 is the hash of the text in the brief.",
  "Every number is what anyone finds who counts again.",
];

/** The scope of a contract: the offer's output, bound to one input by its hash. */
export function scopeFor(output: string, inputHash: string): string {
  return `${output} The input is the text in the brief, with the hash ${inputHash}.`;
}

/** A brief that carries this text. The text must not be empty, and be as `prepareText` leaves it. */
export function briefFor(text: string): string {
  return `Count the words of the text between the two marks.\n\n${BEGIN}\n${text}\n${END}`;
}

/** The form in which a text travels unchanged: line feeds, composed characters, no white space around. */
export function prepareText(text: string): string {
  return text
    .replace(/^\ufeff/, "")
    .replace(/\r\n?/g, "\n")
    .normalize("NFC")
    .trim();
}

/** The text of an order of one of these offers, or of a brief. Undefined if there is none. */
export function textOf({ input, brief = "" }: { input?: unknown; brief?: string }): string | undefined {
  if (input === undefined) return extractInput(brief);
  const { text } = (input ?? {}) as { text?: unknown };
  return typeof text === "string" ? prepareText(text) || undefined : undefined;
}

/**
 * The text between the first opening and the last closing mark, so that a text may itself hold marks. Undefined when a mark
 * is missing or nothing is between them.
 */
export function extractInput(brief: string): string | undefined {
  const lines = brief.split("\n");
  const begin = lines.indexOf(BEGIN);
  const end = lines.lastIndexOf(END);
  if (begin < 0 || end <= begin) return undefined;
  return (
    lines
      .slice(begin + 1, end)
      .join("\n")
      .trim() || undefined
  );
}

export type Statistics = {
  version: 1;
  input_sha256: string;
  words: number;
  distinct_words: number;
  most_frequent: { word: string; count: number }[];
  longest_word: string | null;
};

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu;

export function countWords(text: string): Statistics {
  const counts = new Map<string, number>();
  let words = 0;
  for (const [match] of text.matchAll(WORD)) {
    const word = match.toLowerCase().normalize("NFC");
    counts.set(word, (counts.get(word) ?? 0) + 1);
    words += 1;
  }
  const alphabetical = [...counts].sort(([one], [other]) => (one < other ? -1 : 1));
  // Sorting is stable: what is equally frequent stays in alphabetical order.
  const mostFrequent = alphabetical.toSorted(([, one], [, other]) => other - one).slice(0, 10);
  const longest = Math.max(0, ...alphabetical.map(([word]) => lengthOf(word)));
  return {
    version: 1,
    input_sha256: sha256(text),
    words,
    distinct_words: counts.size,
    most_frequent: mostFrequent.map(([word, count]) => ({ word, count })),
    longest_word: alphabetical.find(([word]) => lengthOf(word) === longest)?.[0] ?? null,
  };
}

function lengthOf(word: string): number {
  return [...word].length;
}

/** The result of an order; of the free offer it is the number alone. */
export function deliver(text: string, { isFree }: { isFree: boolean }): string {
  const statistics = countWords(text);
  return canonicalJson(isFree ? { words: statistics.words } : statistics);
}
