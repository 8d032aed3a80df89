// Compiles src/ to dist/ with the repository's TypeScript. Runs after `npm ci`, and before the package is packed.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const here = import.meta.dirname;
const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
const { bin } = JSON.parse(readFileSync(manifest, "utf8"));
const tsc = join(manifest, "..", bin.tsc);

// Compiled aside and moved into place, so that nothing ever loads half a build.
mkdirSync(join(here, ".build"), { recursive: true });
const draft = mkdtempSync(join(here, ".build/"));
const { status, error } = spawnSync(process.execPath, [tsc, "-p", here, "--outDir", join(draft, "dist")], {
  stdio: ["ignore", "inherit", "inherit"],
});
if (error) throw error;
if (status === 0) {
  // The compiler rewrites `./name.ts` to `./name.js` in programs, but not in declarations.
  for (const file of readdirSync(join(draft, "dist"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".d.ts")) continue;
    const path = join(draft, "dist", file);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(["'])(\.\.?\/[^"']*)\.ts\1/g, "$1$2.js$1"));
  }
  rmSync(join(here, "dist"), { recursive: true, force: true });
  renameSync(join(draft, "dist"), join(here, "dist"));
}
rmSync(draft, { recursive: true, force: true });
process.exitCode = status ?? 1;
