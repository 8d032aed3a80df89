import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { test } from "node:test";
import { runProgram } from "#testing/run-program.ts";

// Generated code is not in the repository. What runs before `generateClient` must not import the Prisma client, and what a start or the
// generation of the SDK's calls loads must not import those.

const ROOT = resolve(import.meta.dirname, "../..");
const CLIENT = /^lib\/db\/generated\//;
const CALLS = /^sdk\/src\/generated\//;

/** The commands of package.json that must work in a fresh clone after `npm ci`. */
const ENTRIES = [
  "start.mjs",
  "server.ts",
  "admin.ts",
  "reconcile.ts",
  "prisma/seed.ts",
  "examples/demo.ts",
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

/** The chain of imports that leads from a file to generated code, if there is one. Only static ones, unless dynamic ones are asked for. */
function chainTo(generated: RegExp, entry: string, { dynamic = false } = {}): string | undefined {
  const seen = new Map([[entry, entry]]);
  for (const [file, chain] of seen) {
    if (generated.test(file)) return chain;
    if (!existsSync(join(ROOT, file))) throw new Error(`${chain} does not exist`);
    if (!/\.(ts|tsx|mjs)$/.test(file) || /\/generated\//.test(file)) continue;
    const text = read(file);
    for (const [, from, bare] of [...text.matchAll(STATIC_IMPORT), ...(dynamic ? text.matchAll(DYNAMIC_IMPORT) : [])]) {
      const next = locate(file, from ?? bare ?? "");
      if (next && !seen.has(next)) seen.set(next, `${chain} → ${next}`);
    }
  }
  return undefined;
}

for (const entry of ENTRIES) {
  test(`${entry} starts without the generated client, and loads what needs it only once it is there`, () => {
    assert.equal(chainTo(CLIENT, entry), undefined);
    const text = read(entry);
    const generated = text.indexOf("await generateClient()");
    for (const { 1: specifier = "", index } of text.matchAll(DYNAMIC_IMPORT)) {
      const target = locate(entry, specifier);
      const chain = target && chainTo(CLIENT, target);
      if (chain) assert.ok(generated !== -1 && generated < index, `before generateClient: ${chain}`);
    }
  });
}

for (const entry of ["server.ts", "admin.ts", "reconcile.ts", "lib/api/generate.ts"])
  test(`${entry} needs none of the SDK's generated calls`, () => {
    assert.equal(chainTo(CALLS, entry, { dynamic: true }), undefined);
  });

test("the SDK's calls are the same whatever the service is configured to offer, and need no valid configuration", async () => {
  const env = { ...process.env, FILES: "off", LOG_LEVEL: "loud", DATABASE_URL: "postgresql://localhost/guildhall" };
  const { code, out, err } = await runProgram(process.execPath, ["lib/api/generate.ts"], { env });
  assert.equal(code, 0, err);
  for (const name of ["api", "commands"]) assert.match(out, new RegExp(`sdk/src/generated/${name}.ts: current`));
});

test("a chain of imports to generated code is found", () => {
  assert.match(chainTo(CLIENT, "lib/db/client.ts") ?? "", /^lib\/db\/client\.ts → lib\/db\/generated\//);
  assert.match(chainTo(CALLS, "examples/demo.ts") ?? "", /sdk\/src\/client\.ts → sdk\/src\/generated\/api\.ts$/);
});
