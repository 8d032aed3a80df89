import { describeLines, describeMarks, describeUnseen, type Unseen } from "./invisible.ts";

/** A part of a text as it is, or the label for something invisible in it. */
export type Piece = string | Unseen;

// Invisible characters that belong stay: in emoji sequences, as variants of a Chinese character, as joiners inside words of
// scripts that join letters.
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
const ALLOWED_MARKS = 6;
const FLOOD = `(?<=${MARK}{${ALLOWED_MARKS}})${MARK}{3,}`;
// Four empty lines in a row or more: their number replaces those in the middle.
const GAP = "(?<=\\n{2})\\n{2,}(?=\\n)";

const SCAN = new RegExp(
  `(?=[#*\\d\\u00A9-\\u{10FFFF}])(?<proper>${PROPER})|(?<unseen>${UNSEEN})|(?<flood>${FLOOD})|(?<gap>${GAP})`,
  "gv",
);

// Most texts contain none of this: one fast test tells.
const SUSPECT = new RegExp(`${UNSEEN}|${FLOOD}|${GAP}`, "v");

/** Splits text by a user so that nothing in it is invisible and nothing crowds out the rest. */
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

/** The same on one line without mark-up, for titles and labels: `Qu[ZWSP]ill`. */
export function plainLine(text: string): string {
  return piecesOf(text.replaceAll(/\s+/g, " "))
    .map((piece) => (typeof piece === "string" ? piece : `[${piece.label}]`))
    .join("");
}

/** The first `most` characters on one line, with an ellipsis if the text is longer. */
export function quoteOf(text: string, most: number): string {
  const characters = [...plainLine(text)];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : characters.join("");
}
