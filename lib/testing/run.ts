import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { generateClient } from "#lib/db/generate.ts";
import { aboutTime, type Durations, Estimate, ProgressLine, readDurations, writeDurations } from "./progress.ts";
import { runProgram } from "./run-program.ts";
import { isDefaultSeed, SEED } from "./seed.ts";

// `npm test`: everything that can be checked, from the cheapest to the costliest. The last line is "N passed, N failed".

const ROOT = resolve(import.meta.dirname, "../..");
const { resolve: find } = createRequire(join(ROOT, "package.json"));
/** Test files that run at the same time, here and in the browser. */
const WORKERS = 2;
/** Those on PostgreSQL often wait: for timers, locks and other processes. */
const SERVICE_WORKERS = 3;
const FILE_TIMEOUT_MS = 1_200_000;

// Hundreds of short-lived processes load the same modules: what V8 has compiled, and Node has stripped of types, is kept for the next.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, ".data/compile-cache");

/** How long everything took on this machine, and on the one where the shares were last measured. */
const MEASURED = join(ROOT, ".data/test-durations.json");
const USUAL = join(import.meta.dirname, "durations.json");

const measured: Durations = {};
const earlier = readDurations(MEASURED);
const estimate = new Estimate({ ...readDurations(USUAL), ...earlier });
const progress = new ProgressLine();
const began = performance.now();

function finished(name: string, ms: number): void {
  measured[name] = Math.round(ms);
  estimate.finish(name);
  const done = `${Math.round(estimate.doneShare() * 100)} %`;
  progress.show(`${done}, ${aboutTime(estimate.leftMs(performance.now() - began))} left`);
}

type Result = { passed: number; failed: number; output: string };

/** One check that passes or fails as a whole. */
async function check(program: string, args: string[]): Promise<Result> {
  const { code, output } = await runProgram(program, args);
  return code === 0 ? { passed: 1, failed: 0, output: "" } : { passed: 0, failed: 1, output };
}

/** The file of a package's command, to be run by this Node. */
function command(name: string, bin: string): string {
  const manifest = find(`${name}/package.json`);
  const { bin: commands } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> | string };
  return join(manifest, "..", typeof commands === "string" ? commands : (commands[bin] ?? ""));
}

/** The files of a pattern, the longest first, so that the workers finish at about the same time. */
function filesOf(pattern: string): string[] {
  const exclude = ["node_modules/**", ".next/**", ".data/**", "test-results/**"];
  const files = globSync(pattern, { cwd: ROOT, exclude }).sort();
  return files.sort((one, other) => estimate.expectedMs(other) - estimate.expectedMs(one));
}

/** Runs files with Node's test runner. A skipped test counts as failed: nothing is left out silently. */
async function nodeTests(files: string[], concurrency = WORKERS): Promise<Result> {
  const result: Result = { passed: 0, failed: 0, output: "" };
  const paths = files.map((file) => join(ROOT, file));
  const events = run({ files: paths, concurrency, timeout: FILE_TIMEOUT_MS, cwd: ROOT });
  const errors: Record<string, string> = {};
  for await (const { type, data } of events) {
    if (type === "test:stderr")
      errors[data.file ?? ""] = `${errors[data.file ?? ""] ?? ""}${data.message}`.slice(-4_000);
    if (type === "test:summary" && data.file) finished(relative(ROOT, data.file), data.duration_ms);
    if (type === "test:summary" && !data.file) {
      const { passed, failed, cancelled, skipped, todo } = data.counts;
      result.passed = passed;
      result.failed = failed + cancelled + skipped + todo || (data.success ? 0 : 1);
    }
    // A test whose subtests failed says nothing more.
    if (type === "test:fail" && data.details.error.failureType !== "subtestsFailed") {
      const { file = "", line, name } = data;
      const { cause, message } = data.details.error as Error & { cause?: unknown };
      const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? message);
      const printed = errors[file] ? `\nstandard error of the file so far:\n${errors[file]}` : "";
      result.output += `✖ ${name}\n  ${relative(ROOT, file)}:${line}\n${reason}${printed}\n\n`;
    }
  }
  return result;
}

async function build(): Promise<Result> {
  const { buildPages } = await import("#lib/boot/build.ts");
  try {
    await buildPages(ROOT).done;
    return { passed: 1, failed: 0, output: "" };
  } catch (error) {
    return { passed: 0, failed: 1, output: String((error as Error).message) };
  }
}

type PlaywrightReport = { stats: Record<"expected" | "unexpected" | "flaky" | "skipped", number> };

/** A line of Playwright's list reporter: `  ✓  12 [phone] › e2e/pages.spec.ts:31:3 › title (2.1s)`. */
const DONE = /^\s+[✓✘x-]\s+\d+ \[([^\]]+)\] › (\S+?):\d+:\d+ › .*\(([\d.]+)(ms|s|m)\)$/;
const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };

async function browserTests(specs: string[]): Promise<Result> {
  const { ensureBrowser } = await import("./browser.ts");
  try {
    await ensureBrowser((line) => progress.print(`  ${line}`));
  } catch (error) {
    return { passed: 0, failed: 1, output: (error as Error).message };
  }
  const folder = mkdtempSync(join(tmpdir(), "guildhall-report-"));
  // Tests of one file may run on both workers, so a file has ended only when all of them have.
  const spent: Durations = {};
  const onLine = (line: string) => {
    const [, , path = "", amount, unit = ""] = DONE.exec(line) ?? [];
    if (!path) return;
    const file = path.startsWith("e2e/") ? path : `e2e/${path}`;
    spent[file] = (spent[file] ?? 0) + Number(amount) * (UNITS[unit] ?? 0);
    const due = Object.entries(spent).filter(([name, ms]) => !(name in measured) && ms >= estimate.expectedMs(name));
    for (const [name, ms] of due) finished(name, ms);
  };
  try {
    const report = join(folder, "report.json");
    const args = [command("playwright", "playwright"), "test", "--reporter=list,json"];
    const variables = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: "1" };
    const { code, output } = await runProgram(process.execPath, args, variables, onLine);
    for (const name of specs) if (spent[name] !== undefined) measured[name] = Math.round(spent[name]);
    if (!existsSync(report)) return { passed: 0, failed: 1, output };
    const { stats } = JSON.parse(readFileSync(report, "utf8")) as PlaywrightReport;
    const failed = stats.unexpected + stats.flaky + stats.skipped;
    return {
      passed: stats.expected,
      failed: code === 0 ? failed : Math.max(1, failed),
      output: code === 0 ? "" : output,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const NOTHING: Result = { passed: 0, failed: 0, output: "" };
let passed = 0;
let failed = 0;

async function stage(name: string, work: () => Promise<Result>): Promise<boolean> {
  const start = performance.now();
  const result = await work().catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  passed += result.passed;
  failed += result.failed;
  const ms = performance.now() - start;
  if (SINGLE.includes(name)) finished(name, ms);
  progress.print(`${name.padEnd(24)} ${result.passed} passed, ${result.failed} failed (${(ms / 1_000).toFixed(1)} s)`);
  if (result.failed > 0) progress.print(`${result.output.trim()}\n`);
  return result.failed === 0;
}

/** Stages that are one part each. */
const SINGLE = ["Prisma client", "Page types", "Style", "Types", "Pages, as in production"];

async function main(): Promise<void> {
  const [rules, services, specs] = ["**/*.test.ts", "**/*.itest.ts", "e2e/**/*.spec.ts"].map(filesOf) as [
    string[],
    string[],
    string[],
  ];
  estimate.plan(SINGLE);
  estimate.plan([...rules, ...specs], WORKERS);
  estimate.plan(services, SERVICE_WORKERS);
  const source = Object.keys(earlier).length > 0 ? "from earlier runs on this machine" : "a first guess";
  progress.print(`Running all tests takes ${aboutTime(estimate.leftMs(0))} (${source}).`);
  if (!isDefaultSeed) progress.print(`Repeat this run with TEST_SEED=${SEED}.`);

  // Generated parts first: a fresh checkout has none of them, and the types depend on them.
  const ready = await stage("Prisma client", async () => {
    await generateClient();
    return NOTHING;
  });
  if (!ready) return;
  await stage("Page types", async () => ({
    ...(await check(process.execPath, [command("next", "next"), "typegen"])),
    passed: 0,
  }));
  await stage("Style", () => check(process.execPath, [command("@biomejs/biome", "biome"), "check"]));
  await stage("Types", () => check(process.execPath, [command("typescript", "tsc"), "--noEmit", "-p", "."]));
  await stage("Rules", () => nodeTests(rules));

  // One server for all tests: held here, it is not started and stopped for every file.
  const { openTestServer } = await import("./database.ts");
  let server: Awaited<ReturnType<typeof openTestServer>> | undefined;
  try {
    server = await openTestServer();
    await stage("Service on PostgreSQL", () => nodeTests(services, SERVICE_WORKERS));
  } finally {
    await server?.close();
  }
  if (await stage("Pages, as in production", build)) await stage("Pages in a browser", () => browserTests(specs));
}

try {
  await main();
} catch (error) {
  failed += 1;
  console.log(error);
}
writeDurations(MEASURED, { ...earlier, ...measured });
progress.print(`All stages took ${Math.round((performance.now() - began) / 1_000)} s.`);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
