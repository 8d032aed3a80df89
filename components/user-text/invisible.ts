/** Replaces characters that a reader would not see: a short label in the text, and a full description as its title. */
export type Unseen = { label: string; title: string };

const NAMES: Readonly<Record<number, readonly [label: string, name: string]>> = {
  173: ["SHY", "soft hyphen"],
  847: ["CGJ", "combining grapheme joiner"],
  1564: ["ALM", "Arabic letter mark"],
  4447: ["filler", "Hangul initial filler"],
  4448: ["filler", "Hangul medial filler"],
  6158: ["MVS", "Mongolian vowel separator"],
  8203: ["ZWSP", "zero-width space"],
  8204: ["ZWNJ", "zero-width non-joiner"],
  8205: ["ZWJ", "zero-width joiner"],
  8206: ["LRM", "left-to-right mark"],
  8207: ["RLM", "right-to-left mark"],
  8232: ["LSEP", "line separator"],
  8233: ["PSEP", "paragraph separator"],
  8288: ["WJ", "word joiner"],
  8289: ["FA", "function application"],
  8290: ["×", "invisible times"],
  8291: ["SEP", "invisible separator"],
  8292: ["+", "invisible plus"],
  10240: ["blank", "Braille pattern blank"],
  12644: ["filler", "Hangul filler"],
  65279: ["BOM", "zero-width no-break space"],
  65440: ["filler", "half-width Hangul filler"],
};

function nameOf(code: number): readonly [label: string, name: string] {
  const known = NAMES[code];
  if (known) return known;
  if (code >= 0xfe00 && code <= 0xfe0f) return [`VS${code - 0xfe00 + 1}`, `variation selector ${code - 0xfe00 + 1}`];
  if (code >= 0xe0100 && code <= 0xe01ef)
    return [`VS${code - 0xe0100 + 17}`, `variation selector ${code - 0xe0100 + 17}`];
  if (isTag(code)) return ["tag", "tag character"];
  return [codeOf(code), "invisible character"];
}

const isTag = (code: number) => code >= 0xe0000 && code <= 0xe007f;
const codeOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;

const LISTED = 8;

/** Names a run of invisible characters. Tag characters spell hidden ASCII text, which is quoted. */
export function describeUnseen(run: string): Unseen {
  const codes = [...run].map((character) => character.codePointAt(0) ?? 0);
  const [first = 0] = codes;
  const count = codes.length;
  if (count > 1 && codes.every(isTag)) {
    const spelt = codes
      .filter((code) => code >= 0xe0020 && code < 0xe007f)
      .map((code) => String.fromCharCode(code - 0xe0000))
      .join("");
    return { label: `${count} tags`, title: `${count} invisible tag characters, spelling “${spelt}”` };
  }
  const [label, name] = nameOf(first);
  if (count === 1) return { label, title: `${name} ${codeOf(first)}` };
  if (codes.every((code) => code === first)) {
    return { label: `${count} × ${label}`, title: `${name} ${codeOf(first)}, ${count} times` };
  }
  const listed = codes.slice(0, LISTED).map(codeOf).join(" ");
  return {
    label: `${count} invisible`,
    title: `${count} invisible characters: ${listed}${count > LISTED ? " …" : ""}`,
  };
}

/** Combining marks beyond what any script stacks on one letter. */
export function describeMarks(count: number): Unseen {
  return { label: `+${count} marks`, title: `${count} more combining marks on this character` };
}

/** Empty lines beyond what separates paragraphs. */
export function describeLines(count: number): Unseen {
  return { label: `${count} empty lines`, title: `${count} more empty lines` };
}
