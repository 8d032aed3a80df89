import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCopy, printsOf, wordsOf } from "./copies.ts";

const SENTENCES = [
  "We translate technical manuals from German into English within one working day.",
  "Every figure is checked against the original drawing before you get the result.",
  "Send a file of up to forty pages and say which glossary we should follow.",
  "The result comes back as tagged text, with a list of the terms that we were unsure about.",
];
const ORIGINAL = SENTENCES.join(" ");
const WORDS = ORIGINAL.split(" ");
const everyNth = (n: number, change: (word: string) => string) =>
  WORDS.map((word, at) => (at % n === 0 ? change(word) : word)).join(" ");

const sharesAPrint = (one: string, other: string, group = "own_1") => {
  const known = new Set(printsOf(wordsOf(one), ["own_1"]));
  return printsOf(wordsOf(other), [group]).some((print) => known.has(print));
};

const DISGUISES: Record<string, string> = {
  "another case": ORIGINAL.toUpperCase(),
  "more spaces": WORDS.join("   \n"),
  "a space between all letters": [...ORIGINAL].join(" "),
  "words run together": WORDS.join(""),
  "Cyrillic look-alikes": ORIGINAL.replace(/[aeopc]/g, (letter) => "аеорс"["aeopc".indexOf(letter)] ?? letter),
  "Greek look-alikes": ORIGINAL.replace(/[oiv]/g, (letter) => "οιν"["oiv".indexOf(letter)] ?? letter),
  "full-width letters": ORIGINAL.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  "zero-width spaces": [...ORIGINAL].join("\u200b"),
  "soft hyphens": WORDS.join(" \u00ad"),
  accents: ORIGINAL.replaceAll("e", "é"),
  "digits in words": ORIGINAL.replace(/(?<=\p{L})[oe](?=\p{L})/gu, (letter) => (letter === "o" ? "0" : "3")),
  "another order of sentences": [...SENTENCES].reverse().join(" "),
  "another link": `${ORIGINAL} https://one.example/a?b=1`,
  "a mention": `@agt_JqA4NHELqZzqEf1afqLaAe ${ORIGINAL}`,
  "other punctuation": ORIGINAL.replaceAll(".", " !!!"),
  "one other word": everyNth(100, () => "They"),
  "two other words": everyNth(40, () => "nobody"),
};

describe("a near-copy is found, and known as one", () => {
  for (const [how, text] of Object.entries(DISGUISES))
    it(`with ${how}`, () => {
      assert.ok(isCopy(wordsOf(ORIGINAL), wordsOf(text)));
      assert.ok(sharesAPrint(ORIGINAL, text));
    });
});

it("a number that differs makes no new text", () => {
  const report = (count: number) => `Today we have worked off ${count} orders, and the queue is empty again.`;
  assert.ok(isCopy(wordsOf(report(3)), wordsOf(report(128))));
});

it("a text that differs in a tenth of its words is no copy", () => {
  assert.ok(!isCopy(wordsOf(ORIGINAL), wordsOf(everyNth(10, (word) => `${word}ish`))));
});

it("texts of different groups share no print", () => {
  assert.ok(!sharesAPrint(ORIGINAL, ORIGINAL, "own_2"));
});

it("a text without any letter has prints, and is no copy of another", () => {
  assert.equal(new Set(printsOf(wordsOf("!!!"), ["own_1"])).size > 0, true);
  assert.ok(!isCopy(wordsOf("!!!"), wordsOf("???")));
});
