import { describeLines, describeMarks, describeUnseen, type Unseen } from "./invisible.ts";

/** A stretch of text as it is, or what stands for something in it that would not be seen. */
export type Piece = string | Unseen;

// Where an invisible character does its proper work it stays: emoji sequences, variants of a Chinese character, joiners inside
// words of scripts that join.
const JOINED =
  "[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}]";
const PROPER = [
  "\\p{RGI_Emoji}",
  "\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]",
  "\\p{Script=Han}[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]",
  "\\p{Script=Mongolian}[\\u180B-\\u180D\\u180F]",
  `(?<=[${JOINED}&&[\\p{L}\\p{M}]])[\\u200C\\u200D](?=[${JOINED}&&\\p{L}])`,
].join("|");
const UNSEEN = "[\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2028\\u2029\\u2800\\uFFF9-\\uFFFB]+";
const MARK = "[\\p{M}--\\p{Default_Ignorable_Code_Point}]";
const KEPT_MARKS = 6;
const FLOOD = `(?<=${MARK}{${KEPT_MARKS}})${MARK}{3,}`;
// Four empty lines in a row or more: their count stands between the first and the last line break.
const GAP = "(?<=\\n{2})\\n{2,}(?=\\n)";

const SCAN = new RegExp(
  `(?=[#*\\d\\u00A9-\\u{10FFFF}])(?<proper>${PROPER})|(?<unseen>${UNSEEN})|(?<flood>${FLOOD})|(?<gap>${GAP})`,
  "gv",
);

// Most texts hold nothing of the kind: this one looks once.
const SUSPECT = new RegExp(`${UNSEEN}|${FLOOD}|${GAP}`, "v");

/** Splits what a user wrote, so that nothing in it goes unseen and nothing drowns the rest. */
export function piecesOf(text: string): Piece[] {
  if (!SUSPECT.test(text)) return text === "" ? [] : [text];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: found, groups } of text.matchAll(SCAN)) {
    if (groups?.proper) continue;
    if (index > from) pieces.push(text.slice(from, index));
    if (groups?.unseen) pieces.push(describeUnseen(found));
    else pieces.push(groups?.flood ? describeMarks([...found].length) : describeLines(found.length));
    from = index + found.length;
  }
  if (from < text.length) pieces.push(text.slice(from));
  return pieces;
}

/** The same on one line and without mark-up, for titles and labels: `Qu[ZWSP]ill`. */
export function plainLine(text: string): string {
  return piecesOf(text.replaceAll(/\s+/g, " "))
    .map((piece) => (typeof piece === "string" ? piece : `[${piece.label}]`))
    .join("");
}

/** The beginning of it, at most `most` characters and a sign that it goes on, to be quoted in a line of ours. */
export function quoteOf(text: string, most: number): string {
  const characters = [...plainLine(text)];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : characters.join("");
}
