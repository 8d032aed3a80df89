import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { generateClient } from "#lib/db/generate.ts";
import { runProgram } from "./run-program.ts";

// `npm test`: everything that can be checked, from the cheapest to the costliest. Its last line is "N passed, N failed".

const ROOT = resolve(import.meta.dirname, "../..");
const { resolve: find } = createRequire(join(ROOT, "package.json"));

type Result = { passed: number; failed: number; output: string };

/** One check that passes or fails as a whole. */
async function check(program: string, args: string[]): Promise<Result> {
  const { code, output } = await runProgram(program, args);
  return code === 0 ? { passed: 1, failed: 0, output: "" } : { passed: 0, failed: 1, output };
}

/** Where a package's command is, to be run by this very Node. */
function command(name: string, bin: string): string {
  const manifest = find(`${name}/package.json`);
  const { bin: commands } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> | string };
  return join(manifest, "..", typeof commands === "string" ? commands : (commands[bin] ?? ""));
}

function filesOf(pattern: string): string[] {
  const exclude = ["node_modules/**", ".next/**", ".data/**", "test-results/**"];
  return globSync(pattern, { cwd: ROOT, exclude }).sort();
}

async function nodeTests(pattern: string): Promise<Result> {
  const args = ["--test", "--test-reporter=spec", "--test-concurrency=2", "--test-timeout=600000"];
  const { code, output } = await runProgram(process.execPath, [...args, ...filesOf(pattern)], { NO_COLOR: "1" });
  const count = (what: string) => Number(output.match(new RegExp(`^ℹ ${what} (\\d+)$`, "m"))?.[1] ?? 0);
  const failed = count("fail") + count("cancelled") + count("skipped") + count("todo");
  const failures = output.indexOf("\n✖ failing tests:");
  // Failures without a name: the runner itself did not come to its end.
  if (code !== 0 && failed === 0) return { passed: count("pass"), failed: 1, output };
  return { passed: count("pass"), failed, output: failed > 0 ? output.slice(Math.max(0, failures)) : "" };
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

async function browserTests(): Promise<Result> {
  const { ensureBrowser } = await import("./browser.ts");
  try {
    await ensureBrowser((line) => console.log(`  ${line}`));
  } catch (error) {
    return { passed: 0, failed: 1, output: (error as Error).message };
  }
  const folder = mkdtempSync(join(tmpdir(), "guildhall-report-"));
  try {
    const report = join(folder, "report.json");
    const args = [command("playwright", "playwright"), "test", "--reporter=list,json"];
    const variables = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: "1" };
    const { code, output } = await runProgram(process.execPath, args, variables);
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
  const began = performance.now();
  const result = await work().catch((error: unknown) => ({
    passed: 0,
    failed: 1,
    output: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }));
  passed += result.passed;
  failed += result.failed;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${name.padEnd(24)} ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  if (result.failed > 0) console.log(`${result.output.trim()}\n`);
  return result.failed === 0;
}

async function main(): Promise<void> {
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
  await stage("Rules", () => nodeTests("**/*.test.ts"));

  // One server for all tests: held here, it is not started and stopped for every file.
  const { openTestServer } = await import("./database.ts");
  let server: Awaited<ReturnType<typeof openTestServer>> | undefined;
  try {
    server = await openTestServer();
    await stage("Service on PostgreSQL", () => nodeTests("**/*.itest.ts"));
  } finally {
    await server?.close();
  }
  if (filesOf("e2e/**/*.spec.ts").length === 0) return;
  if (await stage("Pages, as in production", build)) await stage("Pages in a browser", browserTests);
}

try {
  await main();
} catch (error) {
  failed += 1;
  console.log(error);
}
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
