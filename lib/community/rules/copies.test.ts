import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCopy, printsOf, withoutForms, wordsOf } from "./copies.ts";

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

const letters = (change: (letter: string, at: number) => string) =>
  [...ORIGINAL.toLowerCase()]
    .map((letter) => (/[a-z]/.test(letter) ? change(letter, letter.charCodeAt(0) - 97) : letter))
    .join("");
/** Letters from another alphabet, which has the 26 in a row. */
const from = (first: number) => letters((_, at) => String.fromCodePoint(first + at));
const replaced = (table: Record<string, string>) => letters((letter) => table[letter] ?? letter);
const alphabet = (characters: string) =>
  replaced(Object.fromEntries([...characters].map((each, at) => [String.fromCharCode(97 + at), each])));
const ends = (table: Record<string, string>) =>
  WORDS.map((word) => word.replace(/(?<=[a-z])[a-z](?=\W*$)/i, (last) => table[last] ?? last)).join(" ");
const starts = (table: Record<string, string>) =>
  WORDS.map((word) => word.replace(/^[a-z](?=[a-z])/i, (first) => table[first.toLowerCase()] ?? first)).join(" ");
const LEET = { o: "0", l: "1", e: "3", a: "4", s: "5", t: "7" };

const code = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
const SPACES = [
  0x09, 0x0b, 0x0c, 0x85, 0xa0, 0x1680, 0x2000, 0x2002, 0x2003, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
];
const INVISIBLE = [
  ...[0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x2060],
  ...[0x2061, 0x2064, 0x206a, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xe0020, 0xe0100],
];

/** Every order of the sentences but the original's. */
function orders(items: string[]): string[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

/** Twenty ways each. */
const DISGUISES: Record<string, Record<string, string>> = {
  spaces: {
    "more spaces": WORDS.join("   \n"),
    "a space between all letters": [...ORIGINAL].join(" "),
    "words run together": WORDS.join(""),
    "words in pairs": WORDS.map((word, at) => (at % 2 ? `${word} ` : word)).join(""),
    ...Object.fromEntries(SPACES.map((point) => [code(point), WORDS.join(String.fromCodePoint(point))])),
  },
  "look-alike letters": {
    Cyrillic: replaced({ a: "а", e: "е", o: "о", p: "р", c: "с", x: "х", y: "у", i: "і" }),
    Greek: replaced({ o: "ο", i: "ι", v: "ν", a: "α", t: "τ" }),
    Armenian: replaced({ o: "օ", n: "ո", u: "ս", h: "հ", g: "ց" }),
    "small capitals": alphabet("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ"),
    "upside down": replaced({ a: "ɐ", c: "ɔ", e: "ǝ", f: "ɟ", h: "ɥ", k: "ʞ", m: "ɯ", r: "ɹ", t: "ʇ", v: "ʌ", y: "ʎ" }),
    "strokes through letters": replaced({ o: "ø", d: "đ", h: "ħ", l: "ł", t: "ŧ" }),
    accents: replaced({ e: "é", a: "ä", u: "û", o: "õ" }),
    "many combining marks": letters((letter) => `${letter}\u0301\u0316\u0334`),
    "full width": from(0xff41),
    "mathematical bold": from(0x1d41a),
    "mathematical script": from(0x1d4ea),
    Fraktur: from(0x1d586),
    monospace: from(0x1d68a),
    "in circles": from(0x24d0),
    "in black squares": from(0x1f170),
    "halves of flags": from(0x1f1e6),
    "digits in words": ORIGINAL.replace(/(?<=[a-z])[oe](?=[a-z])/g, (letter) => (letter === "o" ? "0" : "3")),
    "digits at the ends of words": ends(LEET),
    "digits at the beginnings of words": starts(LEET),
    "signs in words": ORIGINAL.replace(
      /(?<=[a-z])[asi](?=[a-z])/g,
      (letter) => ({ a: "@", s: "$", i: "!" })[letter] ?? letter,
    ),
  },
  "invisible characters": Object.fromEntries(
    INVISIBLE.map((point) => [code(point), [...ORIGINAL].join(String.fromCodePoint(point))]),
  ),
  "another order of sentences": Object.fromEntries(
    orders(SENTENCES)
      .slice(1, 21)
      .map((sentences) => [sentences.map((each) => SENTENCES.indexOf(each) + 1).join(""), sentences.join(" ")]),
  ),
  others: {
    "another case": ORIGINAL.toUpperCase(),
    "another link": `${ORIGINAL} https://one.example/a?b=1`,
    "a mention": `@agt_JqA4NHELqZzqEf1afqLaAe ${ORIGINAL}`,
    "other punctuation": ORIGINAL.replaceAll(".", " !!!"),
    "one other word": everyNth(100, () => "They"),
    "two other words": everyNth(40, () => "nobody"),
  },
};

for (const [kind, ways] of Object.entries(DISGUISES))
  describe(`a near-copy is found, and known as one, with ${kind}`, () => {
    if (kind !== "others") it("twenty ways", () => assert.equal(Object.keys(ways).length, 20));
    for (const [how, text] of Object.entries(ways))
      it(how, () => {
        assert.notEqual(text, ORIGINAL);
        assert.ok(isCopy(wordsOf(ORIGINAL), wordsOf(text)));
        assert.ok(sharesAPrint(ORIGINAL, text));
      });
  });

it("a digit stands for a letter where the word asks for one, and counts where it counts", () => {
  for (const [one, other] of [
    ["hell0 w0rld 7he fr33 0ffer a11", "hello world the free offer all"],
    ["v2 at 5pm on the 7th, 12kg and 99 more", "v3 at 7pm on the 8th, 15kg and 3 more"],
  ] as const)
    assert.deepEqual(wordsOf(one), wordsOf(other));
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

it("no character makes a text more than seven times as long", () => {
  for (let point = 0x80; point < 0x20000; point += 1) {
    const text = String.fromCodePoint(point);
    if (text.isWellFormed()) assert.ok(withoutForms(text, "NFKD").length <= 7 * text.length, code(point));
  }
});
