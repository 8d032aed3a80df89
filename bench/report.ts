import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import type { Sizes } from "./data.ts";
import type { FleetCost, FleetRow } from "./fleet.ts";
import type { FootprintRow } from "./footprint.ts";
import type { GrowthRow } from "./growth.ts";
import type { InteractionRow } from "./interaction.ts";
import type { MemoryRow } from "./memory.ts";
import type { PaintRow } from "./paint.ts";
import type { RendersRow } from "./renders.ts";
import type { StreamsRow } from "./streams.ts";
import {
  FIRST_RENDER_P95_MS,
  FLEET_P99_MS,
  INTERACTION_MS,
  LARGEST_PAINT_MS,
  MOST_KB,
  MOST_MIB,
  rateTarget,
} from "./targets.ts";
import type { ThroughputRow } from "./throughput.ts";

export type Report = {
  at: string;
  machine: { cores: number; processor: string; memoryGiB: number; node: string; postgres: string; commit: string };
  /** What answered: the whole service, or its API listener alone. */
  program: string;
  data: { large: Sizes; small: Sizes; community: { large: Sizes; small: Sizes } };
  short: boolean;
  throughput?: ThroughputRow[];
  fleets?: FleetRow[];
  /** The same beside visitors who load pages without pause. */
  fleetDuringPages?: FleetRow & { pagesPerSecond: number };
  growth?: GrowthRow[];
  memory?: MemoryRow;
  start?: { seconds: number };
  streams?: StreamsRow;
  footprint?: FootprintRow;
  renders?: RendersRow[];
  paint?: PaintRow[];
  interaction?: InteractionRow;
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

const thousands = (number: number) => number.toLocaleString("en-GB");

/** `brief` is the figure that the target is about. */
type Line = { figure: string; measured: string; target: string; brief: string; met: boolean };

/** All figures of a run beside their targets. */
export function lines(report: Report): Line[] {
  return [...loads(report), ...reads(report), ...resources(report), ...pages(report), ...interactions(report)];
}

function loads({ throughput = [], fleets = [], fleetDuringPages }: Report): Line[] {
  const rates = throughput.map(({ endpoint, kind, service, bare, ratio }): Line => {
    const target = rateTarget(endpoint, kind);
    const brief = `${Math.round(ratio * 100)} %`;
    return {
      figure: kind === "page" ? endpoint : `throughput: ${endpoint}`,
      measured: `${service}/s of ${bare}/s = ${brief}`,
      target: `≥ ${Math.round(target * 100)} %`,
      brief,
      met: ratio >= target,
    };
  });
  const fleetLine = ({ agents, requestsPerSecond, allMs, failed }: FleetRow, beside: string, most: number): Line => ({
    figure: `fleet of ${agents} agents (${requestsPerSecond}/s)${beside}`,
    measured: `p50 ${allMs.p50}, p95 ${allMs.p95}, p99 ${allMs.p99}, max ${allMs.max} ms; ${failed} failed`,
    target: `p99 < ${most} ms`,
    brief: `p99 ${allMs.p99} ms`,
    met: allMs.p99 < most && failed === 0,
  });
  return [
    ...rates,
    ...fleets.map((fleet) => fleetLine(fleet, "", FLEET_P99_MS.alone)),
    ...fleets.flatMap(({ agents, cost }) => (cost ? [costLine(agents, cost)] : [])),
    ...(fleetDuringPages
      ? [fleetLine(fleetDuringPages, ` beside ${fleetDuringPages.pagesPerSecond} pages/s`, FLEET_P99_MS.besidePages)]
      : []),
  ];
}

function costLine(agents: number, { serviceMicroseconds, databaseMicroseconds, statements, bytes }: FleetCost): Line {
  const measured = `${serviceMicroseconds} µs in the service, ${databaseMicroseconds} µs in the database; ${statements} statements; ${bytes.request} bytes in, ${bytes.answer} out`;
  const brief = `${(serviceMicroseconds ?? 0) + (databaseMicroseconds ?? 0)} µs`;
  return { figure: `cost of a call of ${agents} agents`, measured, target: "", brief, met: true };
}

function reads({ growth = [], renders = [] }: Report): Line[] {
  return [
    ...growth.map(({ read, smallMs, largeMs, ratio, most }) => ({
      figure: `growth: ${read}`,
      measured: `p95 ${smallMs} → ${largeMs} ms = ${ratio}`,
      target: `≤ ${most}`,
      brief: `${ratio}`,
      met: ratio <= most,
    })),
    ...renders.map(({ page, posts, ms }) => ({
      figure: `first render: ${page}, ${thousands(posts)} posts`,
      measured: `p50 ${ms.p50}, p95 ${ms.p95}, p99 ${ms.p99} ms`,
      target: `p95 < ${FIRST_RENDER_P95_MS} ms`,
      brief: `p95 ${ms.p95} ms`,
      met: ms.p95 < FIRST_RENDER_P95_MS,
    })),
  ];
}

function resources({ memory, streams, footprint, start }: Report): Line[] {
  const all: Line[] = [];
  if (memory) {
    const { seconds, requestsPerSecond, firstMiB, lastMiB, growth: ratio, failed } = memory;
    all.push({
      figure: `memory over ${seconds} s at ${requestsPerSecond}/s`,
      measured: `${firstMiB} → ${lastMiB} MiB = ${ratio}; ${failed} failed`,
      target: "≤ 1.2",
      brief: `${lastMiB} MiB`,
      met: ratio <= 1.2 && failed === 0,
    });
  }
  if (streams) {
    const { addedMiB, queriesWithout, queriesWith, firstMs, halfMs, allMs } = streams;
    all.push({
      figure: `${streams.streams} idle streams of events`,
      measured: `${addedMiB} MiB; ${queriesWithout} → ${queriesWith} queries/s`,
      target: "< 60 MiB, no queries",
      brief: `${addedMiB} MiB`,
      met: addedMiB < 60 && queriesWith <= queriesWithout + 2,
    });
    all.push({
      figure: "an event for all streams",
      measured: `first ${firstMs}, half ${halfMs}, all ${allMs} ms`,
      target: "all < 1,000 ms",
      brief: `${allMs} ms`,
      met: allMs < 1_000,
    });
  }
  if (footprint) {
    const { serviceMiB, pagesMiB } = footprint;
    all.push({
      figure: `memory with ${footprint.streams} streams and ${footprint.pages} pages`,
      measured: `${serviceMiB} MiB; ${pagesMiB} MiB in the process that renders`,
      target: `< ${MOST_MIB} MiB`,
      brief: `${serviceMiB} MiB`,
      met: serviceMiB < MOST_MIB,
    });
  }
  if (start) {
    const { seconds } = start;
    const brief = `${seconds} s`;
    all.push({ figure: "start with a current build", measured: brief, target: "< 5 s", brief, met: seconds < 5 });
  }
  return all;
}

function pages({ paint = [] }: Report): Line[] {
  return paint.flatMap(({ page, largestMs, shift, kilobytes: { html, scripts, fonts, styles } }) => {
    const most = {
      html: page === "/" ? MOST_KB.html : undefined,
      scripts: page === "/network" ? undefined : MOST_KB.scripts,
    };
    const limits = [
      ...(most.html ? [`HTML ≤ ${most.html}`] : []),
      ...(most.scripts ? [`scripts ≤ ${most.scripts}`] : []),
      `fonts ≤ ${MOST_KB.fonts}`,
    ];
    return [
      {
        figure: `paint: ${page}`,
        measured: `largest ${largestMs} ms, shift ${shift}`,
        target: `< ${LARGEST_PAINT_MS} ms, no shift`,
        brief: `${largestMs} ms`,
        met: largestMs < LARGEST_PAINT_MS && shift === 0,
      },
      {
        figure: `weight: ${page}`,
        measured: `KB: HTML ${html}, scripts ${scripts}, fonts ${fonts}, styles ${styles}`,
        target: limits.join(", "),
        brief: `HTML ${html}, scripts ${scripts} KB`,
        met: html <= (most.html ?? html) && scripts <= (most.scripts ?? scripts) && fonts <= MOST_KB.fonts,
      },
    ];
  });
}

function interactions({ interaction }: Report): Line[] {
  if (!interaction) return [];
  const { agents, ms, longestFrameMs } = interaction;
  return [
    {
      figure: `interaction: /network, ${thousands(agents)} agents`,
      measured: `p50 ${ms.p50}, p95 ${ms.p95}, max ${ms.max} ms; longest frame ${longestFrameMs} ms`,
      target: `max ≤ ${INTERACTION_MS} ms`,
      brief: `max ${ms.max} ms`,
      met: ms.max <= INTERACTION_MS,
    },
  ];
}

/** The figures as a Markdown table with aligned columns. */
export function table(report: Report): string {
  const all = lines(report).map(({ figure, measured, target, met }) => [
    figure,
    measured,
    target,
    target && (met ? "yes" : "**no**"),
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

- **Throughput**: 32 connections (\`bench/load.ts\`), each asking for agents, tasks, threads and words of its own. The bare server
  (\`bench/bare-server.ts\`) is \`node:http\` with one prepared statement for each endpoint and its rows as JSON, on the same
  database: no authentication, validation or limits. A write writes the same rows, in one statement. Bare server and service take turns; each figure is the median
  of ${rounds ?? "its"} rounds. The service authenticates, validates and records as always; only its rate limits are off.
- **Fleet**: every agent polls its inbox every 15 s and reports its health every 5 minutes, out of step, in an open loop:
  calls go out when they are due, however long earlier ones take, and their time counts from that moment.
- **Pages**: as visitors see them who are not signed in, compressed, at one address per page; the bare server sends as many bytes as the
  page takes. Beside visitors means beside 64 connections that load these pages without pause.
- **Growth**: single reads, one after the other, over one connection; small and large set take turns of 50 reads; the 95th percentile of all reads of
  each. Lists of one skill and matches are asked for skills and budgets for which both sets have a full page. Where a read is "beside" very many
  offers, it is the small set before and after somebody has published them, and figures are medians of the rounds' 95th percentiles.
- **Cost of a call**: processor time of the service's process and of the database's while the fleet calls, statements by PostgreSQL's own count, and the
  bytes of a poll that finds nothing, headers included.
- **First render**: pages at addresses that nobody asked for before, one after the other.
- **Paint**: Chromium at 1280 × 800 with an empty cache, on the same machine: the median of five loads, and the most that anything moved in one.
- **Weight**: what these loads transfer, compressed, in units of 1,000 bytes, without headers.
- **Interaction**: from each of 110 keys and clicks on the map of the network to the next frame, as Chromium's Event Timing has it (in steps of 8 ms; what
  takes less than 16 ms is not counted), and the longest frame while the map is dragged and zoomed.
- **Memory with streams and pages**: resident memory of both processes while 2,000 streams are open, after 24 connections have asked for another
  page each time for 15 seconds.
- **Memory**: resident memory of the service's process under a steady mixture of inbox polls, lists, searches, single
  tasks, matches, heartbeats and new tasks.
- **Start**: from the start of the process to its first answer that it is ready, with its database started by it.
`;
}
