import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";

// `npm run fonts` makes the fonts in this folder from those on npm, which have more characters, weights and features than the pages use. The
// result is part of the sources, so that neither a build nor a start has to make it.

const ROOT = join(import.meta.dirname, "../..");

/** Our three families, with the files that they are made from. */
export const FONTS = {
  "inter.woff2": "inter/files/inter-latin-wght-normal.woff2",
  "source-serif.woff2": "source-serif-4/files/source-serif-4-latin-wght-normal.woff2",
  "jetbrains-mono.woff2": "jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
} as const;

/** Latin-1 without its control characters, and the signs of typography and mathematics that pages and people write. */
const CHARACTERS = [range(0x20, 0x7e), range(0xa0, 0xff), "ıŒœŠšŸŽžˆ˜–—‘’‚“”„†‡•…‰‹›€™←↑→↓−≈≠≤≥✓"].join("");

/** Text in all languages, and figures of one width. Alternative letters and ligatures of code are left out. */
const FEATURES = ["ccmp", "kern", "liga", "lnum", "locl", "mark", "mkmk", "tnum"];

/** The weights in app/styles: 400 and 600. */
const WEIGHTS = { wght: { min: 400, max: 600 } };

function range(first: number, last: number): string {
  return String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, n) => first + n));
}

/** One of the fonts, as WOFF2. */
export function makeFont(name: keyof typeof FONTS): Promise<Buffer> {
  const source = readFileSync(join(ROOT, "node_modules/@fontsource-variable", FONTS[name]));
  return subsetFont(source, CHARACTERS, { targetFormat: "woff2", variationAxes: WEIGHTS, keepFeatures: FEATURES });
}

if (import.meta.main) {
  for (const name of Object.keys(FONTS) as (keyof typeof FONTS)[]) {
    const font = await makeFont(name);
    writeFileSync(join(import.meta.dirname, name), font);
    console.log(`${name}: ${(font.length / 1000).toFixed(1)} KB`);
  }
}
