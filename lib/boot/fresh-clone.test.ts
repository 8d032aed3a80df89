import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";

// lib/db/generated is not in the repository: what runs before `generateClient` must not import it.

const ROOT = resolve(import.meta.dirname, "../..");
const GENERATED = /^lib\/db\/generated\//;

/** The commands of package.json that must work in a fresh clone after `npm ci`. */
const ENTRIES = [
  "start.mjs",
  "server.ts",
  "admin.ts",
  "reconcile.ts",
  "prisma/seed.ts",
  "examples/demo.ts",
  "examples/provider.ts",
  "examples/requester.ts",
  "bench/run.ts",
  "testing/runner/run.ts",
  "lib/db/generate.ts",
  "lib/api/generate.ts",
];

const STATIC_IMPORT = /^(?:import|export)(?!\s+type\b)\b[^;"'()]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"/gm;
const DYNAMIC_IMPORT = /\bimport\("([^"]+)"\)/g;

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** A file's path from the root; undefined for packages. */
function locate(from: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return specifier.slice(1).replace(/^sdk\//, "sdk/src/");
  return specifier.startsWith(".") ? relative(ROOT, resolve(ROOT, dirname(from), specifier)) : undefined;
}

/** The chain of static imports that leads from a file to the generated client, if there is one. */
function chainToClient(entry: string): string | undefined {
  const seen = new Map([[entry, entry]]);
  for (const [file, chain] of seen) {
    if (GENERATED.test(file)) return chain;
    if (!existsSync(join(ROOT, file))) throw new Error(`${chain} does not exist`);
    if (!/\.(ts|tsx|mjs)$/.test(file)) continue;
    for (const [, from, bare] of read(file).matchAll(STATIC_IMPORT)) {
      const next = locate(file, from ?? bare ?? "");
      if (next && !seen.has(next)) seen.set(next, `${chain} → ${next}`);
    }
  }
  return undefined;
}

for (const entry of ENTRIES) {
  test(`${entry} starts without the generated client, and loads what needs it only once it is there`, () => {
    assert.equal(chainToClient(entry), undefined);
    const text = read(entry);
    const generated = text.indexOf("await generateClient()");
    for (const { 1: specifier = "", index } of text.matchAll(DYNAMIC_IMPORT)) {
      const target = locate(entry, specifier);
      const chain = target && chainToClient(target);
      if (chain) assert.ok(generated !== -1 && generated < index, `before generateClient: ${chain}`);
    }
  });
}

test("a chain of imports to the generated client is found", () => {
  assert.match(chainToClient("lib/db/client.ts") ?? "", /^lib\/db\/client\.ts → lib\/db\/generated\//);
});
