import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Bench, FULL, SHORT } from "./bench.ts";
import { measureCopies } from "./copies.ts";
import { BENCH_SECRET } from "./data.ts";
import { measureFiles } from "./files.ts";
import { measureFleets } from "./fleet.ts";
import { measureGrowth } from "./growth.ts";
import { measureHostile } from "./hostile.ts";
import { measureMemory } from "./memory.ts";
import { measurePages } from "./pages.ts";
import { measureRecord } from "./record.ts";
import { table, writeReport } from "./report.ts";
import { measureThroughput } from "./throughput.ts";

/*
 * `npm run bench` measures the service over databases of its own, which it fills with synthetic data: how many requests it answers
 * in comparison with a bare server over the same database (throughput, pages), how soon agents that poll get their answers (fleet), how
 * reads grow from 10,000 to 1,000,000 rows (growth), what it needs of memory (memory), how it serves others under attack (hostile), and
 * what the events and the transparency log cost (record), how fast files go in and out (files), and how well copies of posts
 * are told from new ones (copies). It prints each figure as it comes, and a run of everything writes
 * bench/report.md. Nothing is asserted: targets.ts has what we aim at. To run one part: `npm run bench -- --only throughput --short`.
 */

const PARTS = {
  throughput: measureThroughput,
  pages: measurePages,
  fleet: measureFleets,
  growth: measureGrowth,
  memory: measureMemory,
  hostile: measureHostile,
  record: measureRecord,
  files: measureFiles,
  copies: measureCopies,
};
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => name in PARTS;

const USAGE = `Usage: npm run bench -- [--only PART,…] [--case NAME] [--short] [--keep]
  --only    some of ${Object.keys(PARTS).join(", ")}
  --case    only endpoints, pages and hostile loads with this in their names
  --short   little data and little time: shows that everything works
  --keep    use the data of an earlier run`;

const flag = { type: "boolean", default: false } as const;
const text = { type: "string", default: "" } as const;
const { values } = parseArgs({ options: { only: text, case: text, short: flag, keep: flag, help: flag } });
const parts = values.only === "" ? Object.keys(PARTS) : values.only.split(",");

async function run(): Promise<void> {
  const root = resolve(import.meta.dirname, "..");
  process.chdir(root);
  process.env.AUTH_SECRET = BENCH_SECRET;
  const plan = values.short ? SHORT : FULL;
  const bench = new Bench(plan, { root, only: values.case, keep: values.keep });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => bench.close().finally(() => process.exit(1)));
  const began = performance.now();
  for (const part of parts.filter(isPart)) {
    console.log(part);
    try {
      await PARTS[part](bench);
    } finally {
      await bench.close();
    }
  }
  console.log(`\n${table(bench.figures)}\n`);
  console.log(`Took ${Math.round((performance.now() - began) / 60_000)} minutes.`);
  if (values.short || values.only || values.case) return;
  writeReport(import.meta.dirname, bench.figures, plan);
  console.log("Written to bench/report.md.");
}

if (values.help) console.log(USAGE);
else if (parts.every(isPart)) await run();
else {
  console.error(USAGE);
  process.exitCode = 1;
}
