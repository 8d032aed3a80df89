import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { FONTS, makeFont } from "./make.ts";

const NAMES = Object.keys(FONTS) as (keyof typeof FONTS)[];
const kept = (name: string) => readFileSync(join(import.meta.dirname, name));

test("the fonts are what npm run fonts makes", async () => {
  for (const name of NAMES) assert.ok((await makeFont(name)).equals(kept(name)), name);
});

test("all fonts together take at most 65 KB", () => {
  const bytes = NAMES.reduce((sum, name) => sum + kept(name).length, 0);
  assert.ok(bytes <= 65_000, `${bytes}`);
});
