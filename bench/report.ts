import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Sizes } from "./data.ts";
import type { FleetRow } from "./fleet.ts";
import type { GrowthRow } from "./growth.ts";
import type { MemoryRow } from "./memory.ts";
import type { StreamsRow } from "./streams.ts";
import type { ThroughputRow } from "./throughput.ts";

export type Report = {
  at: string;
  machine: { cores: number; processor: string; memoryGiB: number; node: string; postgres: string; commit: string };
  /** What answered: the whole service, or its API listener alone. */
  program: string;
  data: { large: Sizes; small: Sizes; community: { large: Sizes; small: Sizes } };
  short: boolean;
  throughput?: ThroughputRow[];
  fleet?: FleetRow;
  /** The same beside visitors who load pages without pause. */
  fleetDuringPages?: FleetRow & { pagesPerSecond: number };
  growth?: GrowthRow[];
  memory?: MemoryRow;
  start?: { seconds: number };
  streams?: StreamsRow;
};

/** This machine; the version of PostgreSQL is added later. */
export function machine(): Report["machine"] {
  const [first] = cpus();
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" });
  return {
    cores: cpus().length,
    processor: first?.model.trim() ?? "unknown",
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    postgres: "PostgreSQL",
    commit: stdout?.trim() || "unknown",
  };
}

type Line = { figure: string; measured: string; target: string; met: boolean };

function lines({ throughput = [], fleet, fleetDuringPages, growth = [], memory, start, streams }: Report): Line[] {
  const all: Line[] = [];
  for (const { endpoint, kind, service, bare, ratio } of throughput) {
    const target = kind === "write" ? 0.4 : 0.5;
    const measured = `${service}/s of ${bare}/s = ${Math.round(ratio * 100)} %`;
    all.push({ figure: `throughput: ${endpoint}`, measured, target: `≥ ${target * 100} %`, met: ratio >= target });
  }
  if (fleet) {
    const { p50, p95, p99, max } = fleet.allMs;
    all.push({
      figure: `fleet of ${fleet.agents} agents (${fleet.requestsPerSecond}/s)`,
      measured: `p50 ${p50}, p95 ${p95}, p99 ${p99}, max ${max} ms; ${fleet.failed} failed`,
      target: "p99 < 100 ms",
      met: p99 < 100 && fleet.failed === 0,
    });
  }
  if (fleetDuringPages) {
    const { agents, requestsPerSecond, pagesPerSecond, allMs, failed } = fleetDuringPages;
    all.push({
      figure: `fleet of ${agents} agents (${requestsPerSecond}/s) beside ${pagesPerSecond} pages/s`,
      measured: `p50 ${allMs.p50}, p95 ${allMs.p95}, p99 ${allMs.p99}, max ${allMs.max} ms; ${failed} failed`,
      target: "p99 < 60 ms",
      met: allMs.p99 < 60 && failed === 0,
    });
  }
  for (const { read, smallMs, largeMs, ratio, most } of growth) {
    const measured = `p95 ${smallMs} → ${largeMs} ms = ${ratio}`;
    all.push({ figure: `growth: ${read}`, measured, target: `≤ ${most}`, met: ratio <= most });
  }
  if (memory) {
    const { seconds, requestsPerSecond, firstMiB, lastMiB, growth: ratio, failed } = memory;
    all.push({
      figure: `memory over ${seconds} s at ${requestsPerSecond}/s`,
      measured: `${firstMiB} → ${lastMiB} MiB = ${ratio}; ${failed} failed`,
      target: "≤ 1.2",
      met: ratio <= 1.2 && failed === 0,
    });
  }
  if (streams) {
    const { addedMiB, queriesWithout, queriesWith, firstMs, halfMs, allMs } = streams;
    all.push({
      figure: `${streams.streams} idle streams of events`,
      measured: `${addedMiB} MiB; ${queriesWithout} → ${queriesWith} queries/s`,
      target: "< 60 MiB, no queries",
      met: addedMiB < 60 && queriesWith <= queriesWithout + 2,
    });
    all.push({
      figure: "an event for all of them",
      measured: `first ${firstMs}, half ${halfMs}, all ${allMs} ms`,
      target: "all < 1,000 ms",
      met: allMs < 1_000,
    });
  }
  if (start) {
    const { seconds } = start;
    all.push({ figure: "start with a current build", measured: `${seconds} s`, target: "< 5 s", met: seconds < 5 });
  }
  return all;
}

/** The figures as a Markdown table with aligned columns. */
export function table(report: Report): string {
  const all = lines(report).map(({ figure, measured, target, met }) => [
    figure,
    measured,
    target,
    met ? "yes" : "**no**",
  ]);
  const rows = [["figure", "measured", "target", "met"], ...all];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

/** Writes `report.json` and `report.md` into `dir`. */
export function write(report: Report, dir: string): void {
  const json = JSON.stringify(report, null, 2);
  // Short lists of numbers on one line, as this project's formatter has them.
  const compact = json.replace(/\[\s+([\d\s.,]+?)\s+\]/g, (_, numbers: string) => `[${numbers.replace(/\s+/g, " ")}]`);
  writeFileSync(join(dir, "report.json"), `${compact}\n`);
  writeFileSync(join(dir, "report.md"), markdown(report));
}

const thousands = (number: number) => number.toLocaleString("en-GB");

function markdown(report: Report): string {
  const { machine: m, data } = report;
  const rounds = report.throughput?.[0]?.rounds.service.length;
  return `# Benchmark report

Made by \`npm run bench\`${report.short ? " in its short form (`--short`)" : ""} on ${report.at}, at commit ${m.commit}.

${m.cores} × ${m.processor}, ${m.memoryGiB} GiB; Node ${m.node}; ${m.postgres}. Load generator, service and database share these cores.
All data is synthetic: ${thousands(data.large.tasks)} tasks and ${thousands(data.large.agents)} identities (the small set of the growth figures:
${thousands(data.small.tasks)} and ${thousands(data.small.agents)}); the community's figures are of their own sets, of ${thousands(data.community.large.posts)} and
${thousands(data.community.small.posts)} posts. What answered: ${report.program}.

${table(report)}

## How it was measured

- **Throughput**: autocannon, 32 connections, each asking for agents, tasks, threads and words of its own. The bare server
  (\`bench/bare-server.ts\`) is \`node:http\` with one prepared statement for each endpoint and its rows as JSON, on the same
  database: no authentication, validation, limits or record. Bare server and service take turns; each figure is the median
  of ${rounds ?? "its"} rounds. The service authenticates, validates and records as always; only its rate limits are off.
- **Fleet**: every agent polls its inbox every 15 s and reports its health every 5 minutes, out of step, in an open loop:
  calls go out when they are due, however long earlier ones take, and their time counts from that moment.
- **Pages**: as visitors see them who are not signed in, compressed, at one address per page; the bare server sends as many bytes as the
  page takes. Beside visitors means beside 64 connections that load these pages without pause.
- **Growth**: single reads, one after the other, over one connection; small and large set take turns; medians of the
  rounds' 95th percentiles. Where a read is "beside" very many offers, it is the small set before and after somebody has
  published them.
- **Memory**: resident memory of the service's process under a steady mixture of inbox polls, lists, searches, single
  tasks, matches, heartbeats and new tasks.
- **Start**: from the start of the process to its first answer that it is ready, with its database started by it.
`;
}
