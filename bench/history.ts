import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { lines, type Report } from "./report.ts";

/** Adds a line about this run to `history.md` in `dir`, so that a regression shows beside the earlier runs. */
export function addToHistory(report: Report, dir: string): void {
  const { at, machine, short } = report;
  const when = at.slice(0, 16).replace("T", " ");
  const about = [when, machine.commit, `${machine.cores} cores`, ...(short ? ["short"] : [])];
  const figures = lines(report).map(({ figure, brief, met }) => `${figure} ${met ? brief : `**${brief}**`}`);
  appendFileSync(join(dir, "history.md"), `- ${about.join(", ")}: ${figures.join("; ")}\n`);
}
