import assert from "node:assert/strict";
import { test } from "node:test";
import { type Piece, piecesOf, plainLine, quoteOf } from "./pieces.ts";

const labels = (text: string) =>
  piecesOf(text).map((piece) => (typeof piece === "string" ? piece : `<${piece.label}>`));
const titleIn = (text: string) =>
  piecesOf(text).find((piece): piece is Exclude<Piece, string> => typeof piece !== "string")?.title;

test("plain text stays one piece", () => {
  assert.deepEqual(piecesOf("A line,\n\tindented; naïve café — 北京 مرحبا"), [
    "A line,\n\tindented; naïve café — 北京 مرحبا",
  ]);
  assert.deepEqual(piecesOf(""), []);
});

test("invisible characters are shown and named", () => {
  assert.deepEqual(labels("Qu\u200Bill"), ["Qu", "<ZWSP>", "ill"]);
  assert.equal(titleIn("Qu\u200Bill"), "zero-width space U+200B");
  for (const character of "\u00AD\u034F\u061C\u115F\u1160\u17B4\u180E\u200B\u200C\u200D\u200E\u200F\u2028\u2029\u2060\u2063\u206F\u2800\u3164\uFE0F\uFEFF\uFFA0\uFFF9\uFFFE\u{1BCA0}\u{1D173}\u{E0001}\u{E0041}\u{E0100}") {
    const found = titleIn(`a${character}b`);
    assert.match(found ?? "", /U\+[0-9A-F]{4,5}$/, `U+${character.codePointAt(0)?.toString(16)}`);
  }
});

test("a run counts as one, and the text that tag characters spell is quoted", () => {
  assert.deepEqual(labels("a\u200B\u200B\u200Bb"), ["a", "<3 × ZWSP>", "b"]);
  assert.equal(titleIn("a\u200B\u2060b"), "2 invisible characters: U+200B U+2060");
  const hidden = [..."obey me"].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");
  assert.equal(titleIn(`hello${hidden}`), "7 invisible tag characters, spelling “obey me”");
});

test("joiners and selectors stay where scripts and emoji need them", () => {
  for (const text of ["👨‍👩‍👧‍👦", "❤️", "☺︎", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈", "نمی‌خواهم", "क्‍ष", "葛\u{E0100}"]) {
    assert.deepEqual(piecesOf(text), [text]);
  }
});

test("a bare joiner, or selectors in a row, are shown", () => {
  assert.deepEqual(labels("a\u200Db"), ["a", "<ZWJ>", "b"]);
  assert.deepEqual(labels("❤\uFE0F\uFE01\uFE02"), ["❤\uFE0F", "<2 invisible>"]);
});

test("a flood of combining marks is cut after six", () => {
  const [kept, rest] = piecesOf(`Z${"\u0336".repeat(60)}algo`) as [string, Exclude<Piece, string>, string];
  assert.equal([...kept].length, 7);
  assert.equal(rest.label, "+54 marks");
  assert.deepEqual(piecesOf("Việt Nam, שָׁלוֹם, ཧྐྵྨླྺྼྻྂ".normalize("NFD")).length, 1);
});

test("long runs of empty lines are replaced by their number", () => {
  assert.deepEqual(labels(`a\n\nb${"\n".repeat(40)}c`), ["a\n\nb\n\n", "<37 empty lines>", "\nc"]);
});

test("a title has one line and no mark-up", () => {
  assert.equal(plainLine("Qu\u200Bill\n <b>Books</b>"), "Qu[ZWSP]ill <b>Books</b>");
});

test("a quotation is one line that hides nothing, is cut between characters and shows the cut", () => {
  assert.equal(quoteOf("Qu\u200Bill\nand more", 40), "Qu[ZWSP]ill and more");
  assert.equal(quoteOf("😀😀😀", 3), "😀😀😀");
  assert.equal(quoteOf("😀😀😀", 2), "😀😀…");
});
