import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { BENCH_SECRET } from "./credentials.ts";
import { type DataSet, openData } from "./data.ts";
import { measureFleet } from "./fleet.ts";
import { measureGrowth } from "./growth.ts";
import { measureMemory } from "./memory.ts";
import { type Running, startBare, startListener, startService } from "./processes.ts";
import { machine, type Report, table, write } from "./report.ts";
import { round } from "./statistics.ts";
import { measureThroughput } from "./throughput.ts";

// `npm run bench`: seeds a database of its own, runs the service beside a bare server, and writes a report. It takes about
// half an hour; nothing is asserted. USAGE says how to have less of it.

const USAGE = `Usage: npm run bench -- [--short] [--only PART,…] [--keep] [--listener] [--case NAME]
  --short      a tenth of the data and of the time
  --only       parts of: throughput, fleet, growth, memory, start
  --keep       use the data of an earlier run, if it has this size
  --listener   the API alone instead of the whole service: needs no built pages
  --case       throughput of the endpoints with this in their names`;

const PARTS = ["throughput", "fleet", "growth", "memory", "start"] as const;
type Part = (typeof PARTS)[number];

const FULL = {
  large: { tasks: 1_000_000, agents: 100_000 },
  small: { tasks: 10_000, agents: 1_000 },
  throughput: { rounds: 3, seconds: 8 },
  fleet: { agents: 20_000, seconds: 60 },
  growth: { rounds: 3, requests: 1_000 },
  memorySeconds: 600,
};
const SHORT: typeof FULL = {
  large: { tasks: 100_000, agents: 10_000 },
  small: { tasks: 10_000, agents: 1_000 },
  throughput: { rounds: 3, seconds: 3 },
  fleet: { agents: 20_000, seconds: 15 },
  growth: { rounds: 3, requests: 300 },
  memorySeconds: 60,
};

const flag = { type: "boolean", default: false } as const;
const { values } = parseArgs({
  options: { short: flag, keep: flag, listener: flag, help: flag, only: { type: "string" }, case: { type: "string" } },
});
const parts: readonly string[] = values.only ? values.only.split(",") : PARTS;
const plan = values.short ? SHORT : FULL;
const root = resolve(import.meta.dirname, "..");

async function main(): Promise<void> {
  process.chdir(root);
  process.env.AUTH_SECRET = BENCH_SECRET;
  const log = (line: string) => console.log(line);
  const folder = join(root, ".data/bench", values.short ? "short" : "full");
  const run = values.listener ? startListener : startService;

  const stack = new AsyncDisposableStack();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stack.disposeAsync().finally(() => process.exit(1)));
  }
  const opened = async (name: "large" | "small") => {
    const data = await openData(join(folder, name), plan[name], values.keep, log);
    stack.defer(() => data.close());
    return data;
  };
  const started = async (begin: (data: DataSet) => Promise<Running>, data: DataSet) => {
    const running = await begin(data);
    stack.defer(() => running.stop());
    return running;
  };
  try {
    const data = await opened("large");
    const report: Report = {
      at: new Date().toISOString(),
      machine: machine(await postgresVersion(data.url)),
      program: values.listener ? "the API's listener alone" : "the whole service (`node server.ts`)",
      data: {
        tasks: plan.large.tasks,
        identities: plan.large.agents,
        small: { tasks: plan.small.tasks, identities: plan.small.agents },
      },
      short: values.short,
    };
    const has = (part: Part) => parts.includes(part);
    let service = await started(run, data);
    if (has("memory")) {
      // First, on a process that has done nothing yet.
      log(`Memory (${plan.memorySeconds} s)`);
      report.memory = await measureMemory(data, service, plan.memorySeconds);
      log(`  ${report.memory.firstMiB} → ${report.memory.lastMiB} MiB`);
    }
    if (has("throughput")) {
      log("Throughput");
      const bare = await started(startBare, data);
      const options = { ...plan.throughput, only: values.case };
      report.throughput = await measureThroughput(data, service, bare, options, log);
      await bare.stop();
    }
    if (has("fleet")) {
      const { agents, seconds } = plan.fleet;
      log(`Fleet of ${agents} agents (${seconds} s)`);
      report.fleet = await measureFleet(data, service, agents, seconds);
      log(`  ${JSON.stringify(report.fleet.allMs)}`);
    }
    if (has("growth")) {
      log("Growth");
      const small = await opened("small");
      const place = { data: small, service: await started(run, small) };
      report.growth = await measureGrowth(place, { data, service }, plan.growth, log);
    }
    if (has("start")) {
      log("Start");
      await service.stop();
      service = await started(run, data);
      report.start = { seconds: round(service.startSeconds) };
      log(`  ${report.start.seconds} s`);
    }
    log(`\n${table(report)}\n`);
    write(report, import.meta.dirname);
    log("Written to bench/report.json and bench/report.md. Nothing is asserted: targets are what we aim at.");
  } finally {
    await stack.disposeAsync();
  }
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
  await client.end();
  return `PostgreSQL ${rows[0]?.server_version}`;
}

if (values.help || parts.some((part) => !(PARTS as readonly string[]).includes(part))) console.error(USAGE);
else await main();
