// Generates the calls and commands from the service's endpoints, and compiles src/ to dist/ with the repository's TypeScript: a file for each
// source, and its declarations. Runs when this repository is installed (`npm ci`), with the pages, and before the package is packed.

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
import { join } from "node:path";

const HERE = import.meta.dirname;
const { resolve: find } = createRequire(import.meta.url);

if (!process.features.typescript) {
  console.error(
    `The SDK is built by Node 22.18 or newer, and this is ${process.version}. Get Node from https://nodejs.org, then try again.`,
  );
  process.exit(1);
}
run(join(HERE, "../lib/api/generate.ts"));

// Built aside and moved into place, so that nothing ever loads half a build.
mkdirSync(join(HERE, ".build"), { recursive: true });
const draft = mkdtempSync(join(HERE, ".build/"));
const dist = join(draft, "dist");
try {
  compile();
  nameCompiledFiles();
  const place = join(HERE, "dist");
  if (existsSync(place)) renameSync(place, join(draft, "before"));
  renameSync(dist, place);
} finally {
  rmSync(draft, { recursive: true, force: true });
}

function compile() {
  const manifest = find("typescript/package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
  run(join(manifest, "..", bin.tsc), "-p", HERE, "--outDir", dist);
}

/** Runs a program of Node's, and ends with it if it fails. */
function run(...args) {
  const { status, error } = spawnSync(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (error) throw error;
  if (status !== 0) process.exit(1);
}

/** The compiler leaves the sources' names in declarations: `./call.ts`, which is `./call.js` there. */
function nameCompiledFiles() {
  for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    const path = join(dist, file);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/(from |import\()"(\.{1,2}\/[^"]*)\.ts"/g, '$1"$2.js"'));
  }
}
