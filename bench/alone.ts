import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { MCP_CASES } from "./cases.ts";
import type { DataSet, Sizes } from "./data.ts";
import type { Ground } from "./ground.ts";
import { describeHostile, LOADS, measureHostile } from "./hostile.ts";
import { type Running, startRecorded, startSmall } from "./processes.ts";
import { measureRecord } from "./record.ts";
import { round } from "./statistics.ts";
import { measureThroughput } from "./throughput.ts";
import { SCHEMA_WITHOUT_FEED } from "./without-record.ts";

// Parts that run alone: they print their results, and write no report.

type Place = {
  ground: Ground;
  /** Starts the service. */
  run: (data: DataSet) => Promise<Running>;
  plan: { small: Sizes; verbs: Sizes; throughput: { rounds: number; seconds: number }; recordTurns: number };
  /** Only what has this in its name. */
  only: string | undefined;
  /** How long each hostile load lasts. */
  seconds: number;
  log: (line: string) => void;
};

export const ALONE: Record<string, (place: Place) => Promise<void>> = {
  hostile: measureHostility,
  mcp: measureMcp,
  record: measureRecordCosts,
};

/** Hostile loads one after the other against the service with its limits on. */
async function measureHostility({ ground, only = "", seconds, log }: Place): Promise<void> {
  const data = await ground.open("hostile", { agents: 1_000, tasks: 5_000, posts: 2_000 });
  const service = await ground.start(startSmall, data);
  // The first render of a page loads its code: not what is measured here.
  for (const path of ["/", "/docs", "/docs/community", "/tasks"])
    await (await fetch(`${service.url}${path}`)).arrayBuffer();
  for (const load of LOADS.filter((name) => name.includes(only))) {
    const row = await measureHostile(load, data, service, seconds);
    log(describeHostile(row));
    // Together with the pause after each load this is a minute, so that the next load begins with fresh counts.
    await delay(30_000);
  }
}

/** What the same calls cost over HTTP and over MCP, taking turns on one service. */
async function measureMcp({ ground, run, plan, only, log }: Place): Promise<void> {
  const data = await ground.open("small", plan.small);
  const service = await ground.start(run, data);
  const rows = await measureThroughput(MCP_CASES, data, service, service, { ...plan.throughput, only }, log);
  for (const { endpoint, cpuMicroseconds } of rows) {
    if (!cpuMicroseconds) throw new Error("This kernel does not tell how much time a process has used.");
    const { bare: http, service: mcp } = cpuMicroseconds;
    log(`${endpoint}: ${round(http)} µs of CPU over HTTP, ${round(mcp)} µs over MCP: ${round(mcp - http)} µs more`);
  }
  log("Service and database together. What we aim at is at most 1,500 µs more.");
}

/** What the feed of events and the transparency log add to verbs. */
async function measureRecordCosts({ ground, plan, log }: Place): Promise<void> {
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
  await measureRecord(installations, plan.recordTurns, log);
  log("CPU time of service and database together. What we aim at is less than 5 % for the feed.");
}

async function asOwner(data: DataSet, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: data.ownerUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
}
