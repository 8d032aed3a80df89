import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { type Case, MCP_CASES, WORK_CASES } from "./cases.ts";
import { COMMUNITY_CASES, COMMUNITY_READS } from "./community-cases.ts";
import { BENCH_SECRET } from "./credentials.ts";
import { type DataSet, openData, type Sizes } from "./data.ts";
import { measureFleet } from "./fleet.ts";
import { measureFloods } from "./flood.ts";
import { measureGrowth, WORK_READS } from "./growth.ts";
import { describeHostile, LOADS, measureHostile } from "./hostile.ts";
import { measureMemory } from "./memory.ts";
import { measureFleetDuringPages, pageCases } from "./pages.ts";
import { type Running, startBare, startListener, startRecorded, startService, startSmall } from "./processes.ts";
import { measureRecord } from "./record.ts";
import { machine, type Report, table, write } from "./report.ts";
import { round } from "./statistics.ts";
import { measureStreams } from "./streams.ts";
import { measureThroughput } from "./throughput.ts";
import { measureVerbs } from "./verbs.ts";
import { SCHEMA_WITHOUT_FEED } from "./without-record.ts";

// `npm run bench`: seeds a database of its own, runs the service beside a bare server, and writes a report. It takes about
// three quarters of an hour; nothing is asserted. USAGE says how to have less of it.

const USAGE = `Usage: npm run bench -- [--short] [--only PART,…] [--keep] [--listener] [--case NAME] [--seconds N]
  --short      a tenth of the data and of the time
  --only       parts of: throughput, verbs, fleet, growth, memory, start, streams, pages, community; or hostile, mcp or record, which run alone
  --keep       use the data of an earlier run, if it has this size
  --listener   the API alone instead of the whole service: needs no built pages
  --case       throughput of the endpoints with this in their names
  --seconds    how long each hostile load lasts (60)`;

const PARTS = ["throughput", "verbs", "fleet", "growth", "memory", "start", "streams", "pages", "community"] as const;
type Part = (typeof PARTS)[number];

const FULL = {
  large: { tasks: 1_000_000, agents: 100_000, posts: 0 },
  small: { tasks: 10_000, agents: 1_000, posts: 0 },
  community: {
    large: { tasks: 0, agents: 20_000, posts: 1_000_000 },
    small: { tasks: 0, agents: 1_000, posts: 10_000 },
  },
  verbs: { tasks: 10_000, agents: 1_000, posts: 10_000 },
  throughput: { rounds: 3, seconds: 8 },
  fleet: { agents: 20_000, seconds: 60 },
  growth: { rounds: 3, requests: 1_000 },
  memorySeconds: 600,
};
const SHORT: typeof FULL = {
  large: { tasks: 100_000, agents: 10_000, posts: 0 },
  small: { tasks: 10_000, agents: 1_000, posts: 0 },
  community: { large: { tasks: 0, agents: 5_000, posts: 100_000 }, small: { tasks: 0, agents: 1_000, posts: 10_000 } },
  verbs: { tasks: 10_000, agents: 1_000, posts: 10_000 },
  throughput: { rounds: 3, seconds: 3 },
  fleet: { agents: 20_000, seconds: 15 },
  growth: { rounds: 3, requests: 300 },
  memorySeconds: 60,
};

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: {
    short: flag,
    keep: flag,
    listener: flag,
    help: flag,
    only: { type: "string" },
    case: { type: "string" },
    seconds: { type: "string" },
  },
});
const parts: readonly string[] = values.only ? values.only.split(",") : PARTS;
const plan = values.short ? SHORT : FULL;
const root = resolve(import.meta.dirname, "..");
const folder = join(root, ".data/bench", values.short ? "short" : "full");
const log = (line: string) => console.log(line);
const has = (part: Part) => parts.includes(part);
const run = values.listener ? startListener : startService;

/** What is open while some parts are measured; all of it is closed before the next ones. */
class Ground extends AsyncDisposableStack {
  async open(name: string, sizes: Sizes): Promise<DataSet> {
    const data = await openData(join(folder, name), sizes, values.keep, log);
    this.defer(() => data.close());
    return data;
  }
  async start(begin: (data: DataSet) => Promise<Running>, data: DataSet): Promise<Running> {
    const running = await begin(data);
    this.defer(() => running.stop());
    return running;
  }
}

let ground = new Ground();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => ground.disposeAsync().finally(() => process.exit(1)));
}

async function main(): Promise<void> {
  process.chdir(root);
  process.env.AUTH_SECRET = BENCH_SECRET;
  const { large, small, community } = plan;
  const report: Report = {
    at: new Date().toISOString(),
    machine: machine(),
    program: values.listener ? "the API's listener alone" : "the whole service (`node server.ts`)",
    data: { large, small, community },
    short: values.short,
  };
  for (const measure of [measureWork, measureSteps, measureFeed, measurePages, measureCommunity]) {
    ground = new Ground();
    try {
      await measure(report);
    } finally {
      await ground.disposeAsync();
    }
  }
  log(`\n${table(report)}\n`);
  write(report, import.meta.dirname);
  log("Written to bench/report.json and bench/report.md. Nothing is asserted: targets are what we aim at.");
}

async function measureWork(report: Report): Promise<void> {
  if (PARTS.every((part) => ["community", "streams", "pages", "verbs"].includes(part) || !has(part))) return;
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
    const { agents, seconds } = plan.fleet;
    log(`Fleet of ${agents} agents (${seconds} s)`);
    report.fleet = await measureFleet(data, service, agents, seconds);
    log(`  ${JSON.stringify(report.fleet.allMs)}`);
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
  report.streams = await measureStreams(data, service);
  log(`  ${JSON.stringify(report.streams)}`);
}

async function measurePages(report: Report): Promise<void> {
  if (!has("pages")) return;
  const data = await ground.open("large", plan.large);
  const service = await ground.start(startService, data);
  const compared = await compare(await pageCases(data, service), data, service);
  report.throughput = [...(report.throughput ?? []), ...compared];
  const { agents, seconds } = plan.fleet;
  log(`Fleet of ${agents} agents beside visitors of pages (${seconds} s)`);
  report.fleetDuringPages = await measureFleetDuringPages(data, service, agents, seconds);
  log(`  ${report.fleetDuringPages.pagesPerSecond} pages/s; ${JSON.stringify(report.fleetDuringPages.allMs)}`);
}

async function measureCommunity(report: Report): Promise<void> {
  if (!has("community")) return;
  const data = await ground.open("community-large", plan.community.large);
  report.machine.postgres = await postgresVersion(data.url);
  const service = await ground.start(run, data);
  const compared = await compare(COMMUNITY_CASES, data, service);
  report.throughput = [...(report.throughput ?? []), ...compared];
  log("Growth of the community");
  const small = await ground.open("community-small", plan.community.small);
  const place = { data: small, service: await ground.start(run, small) };
  const grown = await measureGrowth(COMMUNITY_READS, place, { data, service }, plan.growth, log);
  report.growth = [...(report.growth ?? []), ...grown];
}

/** Runs hostile loads one after the other against the service with its limits on. Prints the results, and writes no report. */
async function measureHostility(): Promise<void> {
  process.chdir(root);
  process.env.AUTH_SECRET = BENCH_SECRET;
  try {
    const data = await ground.open("hostile", { agents: 1_000, tasks: 5_000, posts: 2_000 });
    const service = await ground.start(startSmall, data);
    // The first render of a page loads its code: not what is measured here.
    for (const path of ["/", "/docs", "/docs/community", "/tasks"])
      await (await fetch(`${service.url}${path}`)).arrayBuffer();
    for (const load of LOADS.filter((name) => name.includes(values.case ?? ""))) {
      const row = await measureHostile(load, data, service, Number(values.seconds ?? 60));
      log(describeHostile(row));
      // Together with the pause after each load this is a minute, so that the next load begins with fresh counts.
      await delay(30_000);
    }
  } finally {
    await ground.disposeAsync();
  }
}

/** What the same calls cost over HTTP and over MCP, taking turns on one service. Prints the results, and writes no report. */
async function measureMcp(): Promise<void> {
  process.chdir(root);
  process.env.AUTH_SECRET = BENCH_SECRET;
  try {
    const data = await ground.open("small", plan.small);
    const service = await ground.start(run, data);
    const rows = await measureThroughput(
      MCP_CASES,
      data,
      service,
      service,
      { ...plan.throughput, only: values.case },
      log,
    );
    for (const { endpoint, cpuMicroseconds } of rows) {
      if (!cpuMicroseconds) throw new Error("This kernel does not tell how much time a process has used.");
      const { bare: http, service: mcp } = cpuMicroseconds;
      log(`${endpoint}: ${round(http)} µs of CPU over HTTP, ${round(mcp)} µs over MCP: ${round(mcp - http)} µs more`);
    }
    log("Service and database together. What we aim at is at most 1,500 µs more.");
  } finally {
    await ground.disposeAsync();
  }
}

/** What the feed of events and the transparency log add to verbs. Prints the results, and writes no report. */
async function measureRecordCosts(): Promise<void> {
  process.chdir(root);
  process.env.AUTH_SECRET = BENCH_SECRET;
  try {
    const open = async (name: string, without: "log" | "feed" | "") => {
      const data = await ground.open(`record-${name}`, plan.verbs);
      if (without === "feed") await asOwner(data, SCHEMA_WITHOUT_FEED);
      return { data, service: await ground.start((opened) => startRecorded(opened, without), data) };
    };
    const installations = {
      neither: await open("neither", "feed"),
      feed: await open("feed", "log"),
      both: await open("both", ""),
    };
    await measureRecord(installations, values.short ? 9 : 30, log);
    log("CPU time of service and database together. What we aim at is less than 5 % for the feed.");
  } finally {
    await ground.disposeAsync();
  }
}

async function asOwner(data: DataSet, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: data.ownerUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** Throughput beside the bare server. */
async function compare(cases: Case[], data: DataSet, service: Running) {
  log("Throughput");
  const bare = await ground.start(startBare, data);
  const compared = await measureThroughput(cases, data, service, bare, { ...plan.throughput, only: values.case }, log);
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

if (values.only === "hostile" && !values.help) await measureHostility();
else if (values.only === "mcp" && !values.help) await measureMcp();
else if (values.only === "record" && !values.help) await measureRecordCosts();
else if (values.help || parts.some((part) => !(PARTS as readonly string[]).includes(part))) console.error(USAGE);
else await main();
