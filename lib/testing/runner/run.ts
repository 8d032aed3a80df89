import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { generateClient } from "#lib/db/generate.ts";
import type { TestServer } from "../database.ts";
import { isDefaultSeed, SEED } from "../seed.ts";
import { withSecondAttempt } from "./attempts.ts";
import { nodeTests } from "./node-tests.ts";
import { aboutTime, type Durations, Estimate, ProgressLine, readDurations, writeDurations } from "./progress.ts";
import { check, NOTHING, type Result, Stages } from "./stages.ts";
import { BROWSER_WORKERS, RULE_WORKERS, SERVICE_WORKERS } from "./workers.ts";

// `npm test`: everything that can be checked, from the cheapest to the costliest. The last line is "N passed, N failed".

const ROOT = resolve(import.meta.dirname, "../../..");
const { resolve: find } = createRequire(join(ROOT, "package.json"));

// Many short-lived processes load the same modules: what V8 has compiled, and Node has stripped of types, is kept for the next.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, ".data/compile-cache");

/** How long everything took on this machine, and on the one where the shares were last measured. */
const MEASURED = join(ROOT, ".data/test-durations.json");
const USUAL = join(import.meta.dirname, "durations.json");

const measured: Durations = {};
const earlier = readDurations(MEASURED);
const estimate = new Estimate({ ...readDurations(USUAL), ...earlier });
const progress = new ProgressLine();
const stages = new Stages((line) => progress.print(line));
const began = performance.now();

function finished(name: string, ms: number): void {
  measured[name] ??= Math.round(ms);
  estimate.finish(name);
  const done = `${Math.round(estimate.doneShare() * 100)} %`;
  progress.show(`${done}, ${aboutTime(estimate.leftMs(performance.now() - began))} left`);
}

/** The file of a package's command, to be run by this Node. */
function command(name: string, bin: string): string {
  const manifest = find(`${name}/package.json`);
  const { bin: commands } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> | string };
  return join(manifest, "..", typeof commands === "string" ? commands : (commands[bin] ?? ""));
}

const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: ["node_modules/**", ".next/**", ".data/**", "test-results/**"] }).sort();

async function build(): Promise<Result> {
  const { buildPages } = await import("#lib/boot/pages/build.ts");
  await buildPages(ROOT).done;
  return { ...NOTHING, passed: 1 };
}

async function browser(specs: readonly string[]): Promise<Result> {
  const { browserTests } = await import("./browser-tests.ts");
  const { ensureBrowser } = await import("../browser.ts");
  await ensureBrowser((line) => progress.print(`  ${line}`));
  const options = { estimate, onFile: finished, spent: measured };
  return withSecondAttempt(specs, (files, alone) =>
    browserTests(command("playwright", "playwright"), files, options, { alone }),
  );
}

/** Runs these files with Node's test runner; those that fail, once more. */
function node(files: readonly string[], workers: number): Promise<Result> {
  return withSecondAttempt(files, (some, alone) => nodeTests(some, { workers, estimate, onFile: finished }, { alone }));
}

/** Stages that are one part each. */
const SINGLE = ["Prisma client", "Page types", "Style", "Types", "Pages, as in production"] as const;

async function single(name: (typeof SINGLE)[number], work: () => Promise<Result>): Promise<boolean> {
  const { ok, ms } = await stages.run(name, work);
  finished(name, ms);
  return ok;
}

/** The service's connections to the database of one test file, where `TEST_POOLER` asks for a pooler. */
const POOLED_CONNECTIONS = 8;

/** Puts PgBouncer between the services of the tests and their databases. */
async function startTestPooler({ adminUrl, roles }: TestServer) {
  const { startPooler } = await import("../processes/pooler.ts");
  const pooler = await startPooler(roles?.serviceUrl ?? adminUrl, POOLED_CONNECTIONS);
  process.env.TEST_POOLER_URL = pooler.url;
  return pooler;
}

async function main(): Promise<void> {
  const [rules = [], services = [], specs = []] = ["**/*.test.ts", "**/*.itest.ts", "e2e/**/*.spec.ts"].map(filesOf);
  estimate.plan(SINGLE);
  estimate.plan(rules, RULE_WORKERS);
  estimate.plan(specs, BROWSER_WORKERS);
  estimate.plan(services, SERVICE_WORKERS);
  const source = Object.keys(earlier).length > 0 ? "from earlier runs on this machine" : "a first guess";
  progress.print(`Running all tests takes ${aboutTime(estimate.leftMs(0))} (${source}).`);
  if (!isDefaultSeed) progress.print(`Repeat this run with TEST_SEED=${SEED}.`);

  // Generated parts first: a fresh checkout has none of them, and the types depend on them.
  const ready = await single("Prisma client", async () => {
    await generateClient();
    return NOTHING;
  });
  if (!ready) return;
  await single("Page types", async () => ({
    ...(await check(process.execPath, [command("next", "next"), "typegen"])),
    passed: 0,
  }));
  await single("Style", () => check(process.execPath, [command("@biomejs/biome", "biome"), "check"]));
  await single("Types", () => check(process.execPath, [command("typescript", "tsc"), "--noEmit", "-p", "."]));
  await stages.run("Rules", () => node(rules, RULE_WORKERS));

  // One server for all tests: held here, it is not started and stopped for every group of files.
  const { openTestServer } = await import("../database.ts");
  let server: TestServer | undefined;
  let pooler: Awaited<ReturnType<typeof startTestPooler>> | undefined;
  try {
    server = await openTestServer();
    if (process.env.TEST_POOLER) pooler = await startTestPooler(server);
    await stages.run("Service on PostgreSQL", () => node(services, SERVICE_WORKERS));
  } finally {
    pooler?.stop();
    await server?.close();
  }
  if (await single("Pages, as in production", build)) await stages.run("Pages in a browser", () => browser(specs));
}

try {
  await main();
} catch (error) {
  stages.failed += 1;
  console.log(error);
}
writeDurations(MEASURED, { ...earlier, ...measured });
progress.print(`All stages took ${Math.round((performance.now() - began) / 1_000)} s.`);
process.exitCode = stages.failed > 0 ? 1 : 0;
stages.close();
