import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lines, type Report } from "./report.ts";

const FILE = "history.md";

const HEAD = `# Benchmark history

One line for each run of \`npm run bench\`, newest last. Rates are parts of the bare server's in the same run, so they compare across machines; times
do not. A figure in bold missed its target in that run. \`short\` marks a run with a tenth of the data.

`;

/** Adds a line about this run, so that a regression shows beside the earlier runs. */
export function addToHistory(report: Report, dir: string): void {
  const file = join(dir, FILE);
  const before = existsSync(file) ? readFileSync(file, "utf8") : HEAD;
  const { at, machine, short } = report;
  const about = [
    at.slice(0, 16).replace("T", " "),
    machine.commit,
    `${machine.cores} cores`,
    ...(short ? ["short"] : []),
  ];
  const figures = lines(report).map(({ figure, brief, met }) => `${figure} ${met ? brief : `**${brief}**`}`);
  writeFileSync(file, `${before}- ${about.join(", ")}: ${figures.join("; ")}\n`);
}
