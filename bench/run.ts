import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { ALONE } from "./alone.ts";
import { type Case, WORK_CASES } from "./cases.ts";
import { COMMUNITY_CASES, COMMUNITY_READS } from "./community-cases.ts";
import { BENCH_SECRET } from "./credentials.ts";
import type { DataSet } from "./data.ts";
import { measureFleet } from "./fleet.ts";
import { measureFloods } from "./flood.ts";
import { measureFootprint } from "./footprint.ts";
import { Ground } from "./ground.ts";
import { measureGrowth, WORK_READS } from "./growth.ts";
import { addToHistory } from "./history.ts";
import { fillNetwork, measureInteraction } from "./interaction.ts";
import { measureMemory } from "./memory.ts";
import { communityPages, measureFleetDuringPages, pageCases, workPages } from "./pages.ts";
import { measurePaint } from "./paint.ts";
import { type Running, startBare, startListener, startService } from "./processes.ts";
import { profiled, profileVariables } from "./profile.ts";
import { measureRenders } from "./renders.ts";
import { machine, type Report, table, write } from "./report.ts";
import { round } from "./statistics.ts";
import { measureStreams } from "./streams.ts";
import { measureThroughput } from "./throughput.ts";
import { measureVerbs } from "./verbs.ts";

// `npm run bench`: seeds databases of its own, runs the service beside a bare server, and writes a report and a line of history. It takes
// about 30 minutes; nothing is asserted. USAGE says how to have less of it.

const USAGE = `Usage: npm run bench -- [--short] [--only PART,…] [--without PART,…] [--keep] [--listener] [--profile] [--case NAME] [--seconds N]
  --short      a tenth of the data and of the time
  --only       some parts: throughput, verbs, fleet, growth, memory, start, streams, pages, paint, community, renders; or hostile, mcp or
               record, which run alone
  --without    all parts but these
  --keep       use the data of an earlier run, if it has this size
  --listener   the API alone instead of the whole service: needs no built pages
  --profile    also take a CPU profile of the service's processes under each load of throughput, pages and community; writes no report
  --case       throughput of the endpoints with this in their names
  --seconds    how long each hostile load lasts (60)`;

// biome-ignore format: one line is easier to read
const PARTS = ["throughput", "verbs", "fleet", "growth", "memory", "start", "streams", "pages", "paint", "community", "renders"] as const;
type Part = (typeof PARTS)[number];

const FULL = {
  large: { tasks: 1_000_000, agents: 100_000, posts: 0 },
  small: { tasks: 10_000, agents: 1_000, posts: 0 },
  community: {
    large: { tasks: 0, agents: 20_000, posts: 1_000_000 },
    small: { tasks: 0, agents: 1_000, posts: 10_000 },
  },
  verbs: { tasks: 10_000, agents: 1_000, posts: 10_000 },
  throughput: { rounds: 3, seconds: 4 },
  fleets: [20_000, 50_000],
  fleetSeconds: 30,
  growth: { rounds: 3, requests: 700 },
  memorySeconds: 180,
  recordTurns: 20,
  renders: 200,
};
const SHORT: typeof FULL = {
  large: { tasks: 100_000, agents: 10_000, posts: 0 },
  small: { tasks: 10_000, agents: 1_000, posts: 0 },
  community: { large: { tasks: 0, agents: 5_000, posts: 100_000 }, small: { tasks: 0, agents: 1_000, posts: 10_000 } },
  verbs: { tasks: 10_000, agents: 1_000, posts: 10_000 },
  throughput: { rounds: 3, seconds: 3 },
  fleets: [20_000, 50_000],
  fleetSeconds: 15,
  growth: { rounds: 3, requests: 300 },
  memorySeconds: 60,
  recordTurns: 6,
  renders: 60,
};

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: {
    short: flag,
    keep: flag,
    listener: flag,
    help: flag,
    profile: flag,
    only: { type: "string" },
    without: { type: "string" },
    case: { type: "string" },
    seconds: { type: "string" },
  },
});
const without: readonly string[] = values.without?.split(",") ?? [];
const parts: readonly string[] = values.only?.split(",") ?? PARTS.filter((part) => !without.includes(part));
const plan = values.short ? SHORT : FULL;
const root = resolve(import.meta.dirname, "..");
const folder = join(root, ".data/bench", values.short ? "short" : "full");
const log = (line: string) => console.log(line);
const has = (part: Part) => parts.includes(part);
const profiles = join(root, ".data/bench/profiles");
const starting = values.profile ? profileVariables(profiles) : {};
const run = (data: DataSet) => (values.listener ? startListener : startService)(data, starting);

const openGround = () => new Ground(folder, values.keep);

let ground = openGround();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => ground.disposeAsync().finally(() => process.exit(1)));
}

async function main(): Promise<void> {
  const { large, small, community } = plan;
  const report: Report = {
    at: new Date().toISOString(),
    machine: machine(),
    program: values.listener ? "the API's listener alone" : "the whole service (`node server.ts`)",
    data: { large, small, community },
    short: values.short,
  };
  const began = performance.now();
  for (const measure of [measureWork, measureSteps, measureFeed, measurePages, measureCommunity]) {
    ground = openGround();
    try {
      await measure(report);
    } finally {
      await ground.disposeAsync();
    }
  }
  log(`\n${table(report)}\n`);
  log(
    `Took ${Math.round((performance.now() - began) / 60_000)} minutes. Nothing is asserted: targets are what we aim at.`,
  );
  if (values.profile) return;
  write(report, import.meta.dirname);
  addToHistory(report, import.meta.dirname);
  log("Written to bench/report.json, bench/report.md and bench/history.md.");
}

async function measureWork(report: Report): Promise<void> {
  if (!(["memory", "throughput", "fleet", "growth", "start"] as const).some(has)) return;
  const data = await ground.open("large", plan.large);
  report.machine.postgres = await postgresVersion(data.url);
  let service = await ground.start(run, data);
  if (has("memory")) {
    // First, on a process that has done nothing yet.
    log(`Memory (${plan.memorySeconds} s)`);
    report.memory = await measureMemory(data, service, plan.memorySeconds);
    log(`  ${report.memory.firstMiB} → ${report.memory.lastMiB} MiB`);
  }
  if (has("throughput")) report.throughput = await compare(WORK_CASES, data, service);
  if (has("fleet")) {
    const seconds = plan.fleetSeconds;
    report.fleets = [];
    for (const agents of plan.fleets) {
      log(`Fleet of ${agents} agents (${seconds} s)`);
      const costs = agents === Math.max(...plan.fleets);
      const fleet = await measureFleet(data, service, { agents, seconds, costs });
      report.fleets.push(fleet);
      log(`  ${JSON.stringify(fleet.allMs)} ${JSON.stringify(fleet.cost ?? {})}`);
    }
  }
  if (has("growth")) {
    log("Growth");
    const small = await ground.open("small", plan.small);
    const place = { data: small, service: await ground.start(run, small) };
    report.growth = await measureGrowth(WORK_READS, place, { data, service }, plan.growth, log);
    report.growth.push(...(await measureFloods(small, place.service, plan.growth, log)));
  }
  if (has("start")) {
    log("Start");
    await service.stop();
    service = await ground.start(run, data);
    report.start = { seconds: round(service.startSeconds) };
    log(`  ${report.start.seconds} s`);
  }
}

async function measureSteps(report: Report): Promise<void> {
  if (!has("verbs")) return;
  log("Verbs");
  const data = await ground.open("verbs", plan.verbs);
  const service = await ground.start(run, data);
  const bare = await ground.start(startBare, data);
  const measured = await measureVerbs(data, service, bare, plan.throughput.rounds, log);
  report.throughput = [...(report.throughput ?? []), ...measured];
}

async function measureFeed(report: Report): Promise<void> {
  if (!has("streams")) return;
  log("Streams of events");
  const data = await ground.open("small", plan.small);
  const service = await ground.start(run, data);
  report.streams = await measureStreams(data, service, async (streams) => {
    if (!values.listener) report.footprint = await measureFootprint(data, service, streams);
  });
  log(`  ${JSON.stringify(report.streams)} ${JSON.stringify(report.footprint ?? {})}`);
}

async function measurePages(report: Report): Promise<void> {
  if (!has("pages") && !has("paint")) return;
  const data = await ground.open("large", plan.large);
  const service = await ground.start((of) => startService(of, starting), data);
  if (has("paint")) await addPaint(report, service, workPages(data));
  if (!has("pages")) return;
  const compared = await compare(await pageCases(workPages(data), service), data, service);
  report.throughput = [...(report.throughput ?? []), ...compared];
  const [agents = 0] = plan.fleets;
  const seconds = plan.fleetSeconds;
  log(`Fleet of ${agents} agents beside visitors of pages (${seconds} s)`);
  report.fleetDuringPages = await measureFleetDuringPages(data, service, { agents, seconds });
  log(`  ${report.fleetDuringPages.pagesPerSecond} pages/s; ${JSON.stringify(report.fleetDuringPages.allMs)}`);
}

async function addPaint(report: Report, service: Running, paths: string[]): Promise<void> {
  log("Paint");
  const rows = await measurePaint(service.url, paths);
  for (const row of rows) log(`  ${JSON.stringify(row)}`);
  report.paint = [...(report.paint ?? []), ...rows];
}

async function measureCommunity(report: Report): Promise<void> {
  if (!(["community", "renders", "pages", "paint"] as const).some(has)) return;
  const data = await ground.open("community-large", plan.community.large);
  report.machine.postgres = await postgresVersion(data.url);
  const service = await ground.start(run, data);
  if (has("paint") && !values.listener) {
    await fillNetwork(data.ownerUrl);
    await addPaint(report, service, [...communityPages(data), "/network", "/docs"]);
    report.interaction = await measureInteraction(service.url);
    log(`  ${JSON.stringify(report.interaction)}`);
  }
  if (has("pages") && !values.listener) {
    const compared = await compare(await pageCases(communityPages(data), service), data, service);
    report.throughput = [...(report.throughput ?? []), ...compared];
  }
  if (has("renders") && !values.listener) {
    log("First renders");
    report.renders = await measureRenders(data, service, plan.renders);
    for (const { page, ms } of report.renders) log(`  ${page}: ${JSON.stringify(ms)}`);
  }
  if (!has("community")) return;
  const compared = await compare(COMMUNITY_CASES, data, service);
  report.throughput = [...(report.throughput ?? []), ...compared];
  log("Growth of the community");
  const small = await ground.open("community-small", plan.community.small);
  const place = { data: small, service: await ground.start(run, small) };
  const grown = await measureGrowth(COMMUNITY_READS, place, { data, service }, plan.growth, log);
  report.growth = [...(report.growth ?? []), ...grown];
}

/** Throughput beside the bare server. */
async function compare(cases: Case[], data: DataSet, service: Running) {
  log("Throughput");
  const bare = await ground.start(startBare, data);
  const watch = (name: string, load: () => Promise<unknown>) =>
    profiled(service, { dir: profiles, name }, load, log).then(() => undefined);
  const options = { ...plan.throughput, only: values.case, watch: values.profile ? watch : undefined };
  const compared = await measureThroughput(cases, data, service, bare, options, log);
  await bare.stop();
  return compared;
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  await client.end();
  return `PostgreSQL ${rows[0]?.server_version}`;
}

async function runAlone(measure: (typeof ALONE)[string]): Promise<void> {
  try {
    await measure({ ground, run, plan, only: values.case, seconds: Number(values.seconds ?? 60), log });
  } finally {
    await ground.disposeAsync();
  }
}

process.chdir(root);
process.env.AUTH_SECRET = BENCH_SECRET;
const alone = ALONE[values.only ?? ""];
if (values.help || !(alone || [...parts, ...without].every((part) => (PARTS as readonly string[]).includes(part))))
  console.error(USAGE);
else await (alone ? runAlone(alone) : main());
