// Builds dist/ from src/: the repository's TypeScript checks the sources, writes the declarations and compiles; then esbuild, where it
// is installed (it is a development dependency), makes a few small files of the many. Runs after `npm ci` and before the
// package is packed.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const HERE = import.meta.dirname;
const ENTRIES = ["index", "verify/verify", "cli/main"];
const { resolve: find } = createRequire(import.meta.url);

// Built aside and moved into place, so that nothing ever loads half a build.
mkdirSync(join(HERE, ".build"), { recursive: true });
const draft = mkdtempSync(join(HERE, ".build/"));
const dist = join(draft, "dist");
try {
  compile();
  tidyDeclarations();
  await bundle();
  const place = join(HERE, "dist");
  if (existsSync(place)) renameSync(place, join(draft, "before"));
  renameSync(dist, place);
} finally {
  rmSync(draft, { recursive: true, force: true });
}

function compile() {
  const manifest = find("typescript/package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  const args = [join(manifest, "..", bin.tsc), "-p", HERE, "--outDir", dist];
  const { status, error } = spawnSync(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (error) throw error;
  if (status !== 0) process.exit(1);
}

/** The compiler rewrites `./name.ts` in programs, but not in declarations. Those that no user can reach are left out. */
function tidyDeclarations() {
  const reached = new Set(["index", "verify/verify"].map((entry) => join(dist, `${entry}.d.ts`)));
  for (const file of reached) {
    const text = readFileSync(file, "utf8").replaceAll(/(["'])(\.\.?\/[^"']*)\.ts\1/g, "$1$2.js$1");
    writeFileSync(file, text);
    for (const [, specifier] of text.matchAll(/["'](\.\.?\/[^"']*)\.js["']/g))
      reached.add(resolve(file, "..", `${specifier}.d.ts`));
  }
  for (const file of filesOf(".d.ts")) if (!reached.has(file)) rmSync(file);
}

function filesOf(suffix) {
  const all = readdirSync(dist, { recursive: true, encoding: "utf8" });
  return all.filter((file) => file.endsWith(suffix)).map((file) => join(dist, file));
}

async function bundle() {
  let outputFiles;
  try {
    const esbuild = await import("esbuild");
    ({ outputFiles } = await esbuild.build({
      entryPoints: ENTRIES.map((entry) => join(dist, `${entry}.js`)),
      ...{ bundle: true, splitting: true, minify: true, write: false },
      ...{ format: "esm", platform: "neutral", target: "es2022", external: ["node:*"] },
      ...{ outdir: dist, outbase: dist, chunkNames: "chunk-[hash]", legalComments: "none" },
    }));
  } catch (error) {
    // `npm ci --omit=dev`, or a platform without esbuild: what the compiler wrote works as well, and is only larger.
    if (error.code !== "ERR_MODULE_NOT_FOUND") console.warn(`The SDK was not bundled: ${error.message}`);
    return;
  }
  for (const file of filesOf(".js")) rmSync(file);
  for (const { path, contents } of outputFiles) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, contents);
  }
}
