// Builds dist/ from src/: the repository's TypeScript checks the sources, writes the declarations and compiles; then esbuild makes a few
// files of the many, and terser and oxc-minify make those small, where they are installed: they are development dependencies. Runs after
// `npm ci` and before the package is packed.

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
// npm packs by file extension, then by name, and gzip finds only what repeats within 32 KB. With these names (base, guildhall, index;
// index.d.ts, verify.d.ts, wire.d.ts) like stands beside like, and the package is 500 bytes smaller.
const ENTRIES = ["index", "verify/verify", "cli/guildhall"];
const CHUNK = "base";
const TYPES = "wire.d.ts";
const { resolve: find } = createRequire(import.meta.url);

/** The command line loads the client from the package's entry. Shared through a chunk, every name would be in three files. */
const clientFromIndex = {
  name: "client-from-index",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/(?:client|errors|generated)\.js$/ }, ({ importer }) =>
      /[/\\]cli[/\\][^/\\]+$/.test(importer) ? { path: "../index.js", external: true } : undefined,
    );
  },
};

// Built aside and moved into place, so that nothing ever loads half a build.
mkdirSync(join(HERE, ".build"), { recursive: true });
const draft = mkdtempSync(join(HERE, ".build/"));
const dist = join(draft, "dist");
try {
  compile();
  joinDeclarations();
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

/**
 * Makes one file of the client's declarations: the package is smaller, and an editor opens one file. The generated types stay a file
 * of their own, which the command line reads, and the verifier has its own entry. What no user can reach is left out, and so is the
 * indentation, which editors make themselves where they show a type.
 */
function joinDeclarations() {
  const kept = ["generated.d.ts", "index.d.ts", "verify/verify.d.ts"].map((file) => join(dist, file));
  const [generated, index, verify] = kept;
  const joined = new Set([index]);
  const used = new Set();
  let text = "";
  for (const file of joined) {
    text += readFileSync(file, "utf8").replaceAll(
      /^(?:import|export) ([^;]*?) from "(.*)";\n|^export \{\};\n/gm,
      (_, names, specifier) => {
        if (specifier === undefined) return "";
        const other = resolve(file, "..", specifier.replace(/\.ts$/, ".d.ts"));
        if (!kept.includes(other)) joined.add(other);
        else if (other === generated) for (const [name] of names.matchAll(/[A-Z]\w+/g)) used.add(name);
        return "";
      },
    );
  }
  const head = [
    `import type { ${[...used].sort().join(", ")} } from "./wire.js";`,
    'import type { verifyEvidence } from "./verify/verify.js";',
    'export type * from "./wire.js";',
  ];
  writeFileSync(index, `${head.join("\n")}\n${text}`);
  writeFileSync(verify, readFileSync(verify, "utf8").replaceAll('"./report.ts"', '"../index.js"'));
  writeFileSync(
    generated,
    readFileSync(generated, "utf8").replace(/^import .*\n/m, 'import type { CallOptions, List } from "./index.js";\n'),
  );
  for (const file of filesOf(".d.ts")) {
    if (!kept.includes(file)) rmSync(file);
    else writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^ +(?! ?\*)/gm, ""));
  }
  renameSync(generated, join(dist, TYPES));
}

function filesOf(suffix) {
  const all = readdirSync(dist, { recursive: true, encoding: "utf8" });
  return all.filter((file) => file.endsWith(suffix)).map((file) => join(dist, file));
}

async function bundle() {
  let outputs;
  try {
    const [esbuild, terser, oxc] = await Promise.all(["esbuild", "terser", "oxc-minify"].map((name) => import(name)));
    const { outputFiles } = await esbuild.build({
      entryPoints: ENTRIES.map((entry) => join(dist, `${entry}.js`)),
      ...{ bundle: true, splitting: true, minify: true, write: false },
      ...{ format: "esm", platform: "neutral", target: "es2022", external: ["node:*"] },
      ...{ outdir: dist, outbase: dist, chunkNames: CHUNK, legalComments: "none" },
      plugins: [clientFromIndex],
    });
    const compress = {
      passes: 4,
      ecma: 2022,
      keep_fargs: false,
      pure_getters: true,
      hoist_funs: true,
      sequences: false,
    };
    outputs = await Promise.all(
      outputFiles.map(async ({ path, text }) => {
        const { code } = await terser.minify(text, { module: true, ecma: 2022, compress });
        // Of the three this one finds the names that compress best.
        return {
          path,
          code: oxc.minifySync(path, code, { module: true, mangle: { toplevel: true }, compress: { target: "es2022" } })
            .code,
        };
      }),
    );
  } catch (error) {
    // `npm ci --omit=dev`, or a platform without esbuild: what the compiler wrote works as well, and is only larger.
    if (error.code !== "ERR_MODULE_NOT_FOUND") console.warn(`The SDK was not bundled: ${error.message}`);
    return;
  }
  for (const file of filesOf(".js")) rmSync(file);
  for (const { path, code } of outputs) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, code);
  }
}
