import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBrowser } from "./browser.ts";
import type { Durations, Estimate } from "./progress.ts";
import { runProgram } from "./run-program.ts";
import type { Result } from "./stages.ts";

type Report = { stats: Record<"expected" | "unexpected" | "flaky" | "skipped", number> };

/** A line of Playwright's list reporter: `  ✓  12 [phone] › e2e/pages.spec.ts:31:3 › title (2.1s)`. */
const DONE = /^\s+[✓✘x-]\s+\d+ \[([^\]]+)\] › (\S+?):\d+:\d+ › .*\(([\d.]+)(ms|s|m)\)$/;
const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };

/**
 * Runs all browser tests with Playwright's command, `playwright`. A file is reported as finished when it has taken as long as expected:
 * tests of one file may run on several workers, so only the end of all of them is certain.
 * @returns what came of them, and the time that each file took over all workers
 */
export async function browserTests(
  playwright: string,
  {
    estimate,
    onFile,
    log,
  }: { estimate: Estimate; onFile: (file: string, ms: number) => void; log: (line: string) => void },
): Promise<Result & { spent: Durations }> {
  const spent: Durations = {};
  try {
    await ensureBrowser(log);
  } catch (error) {
    return { passed: 0, failed: 1, output: (error as Error).message, spent };
  }
  const reported = new Set<string>();
  const onLine = (line: string) => {
    const [, , path = "", amount, unit = ""] = DONE.exec(line) ?? [];
    if (!path) return;
    const file = path.startsWith("e2e/") ? path : `e2e/${path}`;
    const ms = (spent[file] ?? 0) + Number(amount) * (UNITS[unit] ?? 0);
    spent[file] = ms;
    if (reported.has(file) || ms < estimate.expectedMs(file)) return;
    reported.add(file);
    onFile(file, ms);
  };
  const folder = mkdtempSync(join(tmpdir(), "guildhall-report-"));
  try {
    const report = join(folder, "report.json");
    const args = [playwright, "test", "--reporter=list,json"];
    const variables = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: "1" };
    const { code, output } = await runProgram(process.execPath, args, variables, onLine);
    if (!existsSync(report)) return { passed: 0, failed: 1, output, spent };
    const { stats } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const failed = stats.unexpected + stats.flaky + stats.skipped;
    const ok = code === 0;
    return { passed: stats.expected, failed: ok ? failed : Math.max(1, failed), output: ok ? "" : output, spent };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
