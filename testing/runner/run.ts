import { globSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { runProgram } from "../run-program.ts";
import { isDefaultSeed, SEED } from "../seed.ts";
import { openMemoryFolder } from "./memory-folder.ts";
import { nodeTests } from "./node-tests.ts";
import { type FileResult, Run, result, withSecondAttempt } from "./results.ts";

// `npm test`: everything that can be checked, from the cheapest to the costliest. The last line is "N passed, N failed".

const ROOT = resolve(import.meta.dirname, "../..");
const { resolve: find } = createRequire(join(ROOT, "package.json"));

// Many short-lived processes load the same modules: what V8 has compiled, and Node has stripped of types, is kept for the next.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, ".data/compile-cache");

/** Processes at the same time, on two cores. Tests of rules never wait; those on PostgreSQL wait for timers, locks and other processes. */
const RULE_WORKERS = 2;
const SERVICE_WORKERS = 3;
/** The service's connections to the database of one test file, where `TEST_POOLER` asks for a pooler. */
const POOLED_CONNECTIONS = 8;
const PROGRESS_MS = 20_000;

const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: ["node_modules/**", ".next/**", ".data/**", "test-results/**"] }).sort();

/** The file of a package's command, to be run by this Node. */
function command(name: string, bin = name): string {
  const manifest = find(`${name}/package.json`);
  const { bin: commands } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> | string };
  return join(manifest, "..", typeof commands === "string" ? commands : (commands[bin] ?? ""));
}

/** A command that passes or fails as a whole. */
async function check(file: string, ...args: string[]): Promise<FileResult[]> {
  const { code, output } = await runProgram(process.execPath, [file, ...args]);
  return [code === 0 ? result({ passed: 1 }) : result({ failed: [output] })];
}

/** Runs these files with Node's test runner; those that fail, once more. Says every 20 seconds how far it is. */
function node(files: readonly string[], workers: number): Promise<FileResult[]> {
  let [done, saidAt] = [0, performance.now()];
  const onFile = () => {
    done += 1;
    if (performance.now() - saidAt < PROGRESS_MS) return;
    saidAt = performance.now();
    console.log(`  ${done} of ${files.length} files`);
  };
  return nodeTests(files, workers, onFile).then((first) => withSecondAttempt(first, (file) => nodeTests([file], 1)));
}

/** One server for all files: held here, it is not started and stopped for every group of them. */
async function onPostgres(files: readonly string[]): Promise<FileResult[]> {
  const { openTestServer } = await import("../database.ts");
  const { startPooler } = await import("../processes/pooler.ts");
  const server = await openTestServer();
  const url = server.roles?.serviceUrl ?? server.adminUrl;
  const pooler = process.env.TEST_POOLER ? await startPooler(url, POOLED_CONNECTIONS) : undefined;
  if (pooler) process.env.TEST_POOLER_URL = pooler.url;
  try {
    return await node(files, SERVICE_WORKERS);
  } finally {
    pooler?.stop();
    await server.close();
  }
}

async function pages(): Promise<FileResult[]> {
  const { buildPages } = await import("#lib/boot/pages/build.ts");
  await buildPages(ROOT).done;
  return [result({ passed: 1 })];
}

async function browser(): Promise<FileResult[]> {
  const { ensureBrowser } = await import("../browser.ts");
  const { browserTests } = await import("./browser-tests.ts");
  await ensureBrowser(console.log);
  return browserTests(command("playwright"), filesOf("e2e/**/*.spec.ts"));
}

const memory = openMemoryFolder(ROOT);
if (memory) Object.assign(process.env, { TMPDIR: memory, TEST_DATABASE_DIR: join(memory, "database") });

const run = new Run();
if (!isDefaultSeed) console.log(`Repeat this run with TEST_SEED=${SEED}.`);
// First of all: a fresh checkout has none of it, and the types depend on it.
if (await run.stage("Generated code", () => check(join(ROOT, "lib/api/generate.ts")))) {
  await run.stage("Page types", () => check(command("next"), "typegen"));
  await run.stage("Style", () => check(command("@biomejs/biome", "biome"), "check"));
  await run.stage("Types", () => check(command("typescript", "tsc"), "--noEmit", "-p", "."));
  await run.stage("Rules", () => node(filesOf("**/*.test.ts"), RULE_WORKERS));
  await run.stage("Service on PostgreSQL", () => onPostgres(filesOf("**/*.itest.ts")));
  if (await run.stage("Pages, as in production", pages)) await run.stage("Pages in a browser", browser);
}
if (memory) rmSync(memory, { recursive: true, force: true });
console.log(`All stages took ${Math.round(performance.now() / 1_000)} s.`);
process.exitCode = run.close() ? 1 : 0;
