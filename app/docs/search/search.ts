import { callHref, codeHref, type FieldDoc, type Reference, shapeHref } from "#components/reference/model.ts";
import { ERROR_WORDS, isAnswered } from "#lib/api/error-words.ts";
import type { ErrorCode } from "#lib/kernel/errors.ts";

/** Something in the reference that a search may find. */
type Found = { href: string; title: string; path?: string; text: string };

type Entry = Found & { /** Searched for, beside what is shown; weighs least. */ rest: string };

const MOST_FOUND = 40;

/** What matches all words, best first: titles and paths before descriptions, and those before names of fields. */
export function searchReference(reference: Reference, query: string): Found[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entriesOf(reference)
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ entry: { rest, ...found } }) => found);
}

/** 0 unless every word is somewhere in the entry. */
function scoreOf({ title, path = "", text, rest }: Entry, words: string[]): number {
  const places: [text: string, weight: number][] = [
    [title, 8],
    [path, 6],
    [text, 3],
    [rest, 1],
  ];
  const scores = words.map((word) =>
    Math.max(0, ...places.map(([place, weight]) => (place.toLowerCase().includes(word) ? weight : 0))),
  );
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

let entries: { of: Reference; all: Entry[] } | undefined;

function entriesOf(reference: Reference): Entry[] {
  if (entries?.of !== reference) entries = { of: reference, all: [...allEntries(reference)] };
  return entries.all;
}

function* allEntries({ subjects, shapes }: Reference): Generator<Entry> {
  for (const subject of subjects)
    for (const call of subject.calls)
      yield {
        href: callHref(subject, call),
        title: call.summary,
        path: `${call.method} ${call.path}`,
        text: firstSentence(call.description),
        rest: [call.name, call.description, namesOf(call.input), namesOf(call.output)].join(" "),
      };
  for (const { name, description, fields } of shapes)
    yield { href: shapeHref(name), title: name, path: "shape", text: description, rest: namesOf(fields) };
  for (const code of (Object.keys(ERROR_WORDS) as ErrorCode[]).filter(isAnswered)) {
    const words = ERROR_WORDS[code];
    yield { href: codeHref(code), title: code, path: "error", text: firstSentence(words), rest: words };
  }
}

const namesOf = (fields: readonly FieldDoc[]) =>
  fields.map(({ name, description }) => `${name} ${description}`).join(" ");

const firstSentence = (text: string) => /^.*?[.](?=\s|$)/.exec(text)?.[0] ?? text;
