import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../examples/run-program.ts";
import type { FileResult } from "./attempts.ts";
import type { Durations, Estimate } from "./progress.ts";

/** What is read of a report by Playwright's json reporter. */
export type Report = { suites: ReportSuite[]; errors: { message?: string; stack?: string }[] };
type ReportSuite = {
  title: string;
  file: string;
  specs: {
    title: string;
    line: number;
    tests: {
      projectName: string;
      status: "expected" | "unexpected" | "flaky" | "skipped";
      results: { errors: { message?: string; stack?: string }[] }[];
    }[];
  }[];
  suites?: ReportSuite[];
};

/** A line of Playwright's list reporter: `  ✓  12 [phone] › e2e/pages.spec.ts:31:3 › title (2.1s)`. */
const DONE = /^\s+[✓✘x-]\s+\d+ \[([^\]]+)\] › (\S+?):\d+:\d+ › .*\(([\d.]+)(ms|s|m)\)$/;
const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000 };

type Options = { estimate: Estimate; onFile: (file: string, ms: number) => void };

/**
 * Runs browser tests with Playwright's command, `playwright`; with `alone` one after the other. A file is reported as finished when it
 * has taken as long as expected: tests of one file may run on several workers, so only the end of all of them is certain.
 * @param spent gets the time that each file took over all workers
 */
export async function browserTests(
  playwright: string,
  files: readonly string[],
  { estimate, onFile, spent }: Options & { spent: Durations },
  { alone = false } = {},
): Promise<FileResult[]> {
  const reported = new Set<string>();
  const onLine = (line: string) => {
    const [, , path = "", amount, unit = ""] = DONE.exec(line) ?? [];
    if (!path || alone) return;
    const file = fileOf(path);
    const ms = (spent[file] ?? 0) + Number(amount) * (UNITS[unit] ?? 0);
    spent[file] = ms;
    if (reported.has(file) || ms < estimate.expectedMs(file)) return;
    reported.add(file);
    onFile(file, ms);
  };
  const folder = mkdtempSync(join(tmpdir(), "guildhall-report-"));
  try {
    const report = join(folder, "report.json");
    // The files are patterns, which match anywhere in a path.
    const patterns = files.map((file) => `/${file.replaceAll(".", "\\.")}$`);
    // Its pictures of failures lie beside those of the first attempt, which Playwright would delete otherwise.
    const again = ["--workers=1", "--output=test-results/again", ...patterns];
    const args = [playwright, "test", "--reporter=list,json", ...(alone ? again : [])];
    const variables = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report, NO_COLOR: "1" };
    const { code, output } = await runProgram(process.execPath, args, variables, onLine);
    if (!existsSync(report)) return [noReport(output)];
    const results = resultsOf(JSON.parse(readFileSync(report, "utf8")) as Report, code);
    const left = files.filter((file) => results.every((result) => result.file !== file));
    for (const file of left) results.push({ ...noReport(`✖ ${file}\nNo test of it ran.\n\n`), file });
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const noReport = (output: string): FileResult => ({
  file: undefined,
  passed: [],
  failed: [{ test: undefined, report: output }],
});

const fileOf = (path: string) => (path.startsWith("e2e/") ? path : `e2e/${path}`);

/** What came of each file, by the report and the exit code of Playwright. A skipped test counts as failed. */
export function resultsOf({ suites, errors }: Report, code: number): FileResult[] {
  const results = new Map<string, FileResult & { file: string }>();
  const add = ({ file: path, specs, suites: inner = [] }: ReportSuite, above: string[]) => {
    const file = fileOf(path);
    const result = results.get(file) ?? { file, passed: [], failed: [] };
    results.set(file, result);
    for (const spec of specs)
      for (const { projectName, status, results: attempts } of spec.tests) {
        const test = `[${projectName}] ${[...above, spec.title].join(" › ")}`;
        if (status === "expected") {
          result.passed.push(test);
          continue;
        }
        const reasons = attempts.flatMap((attempt) => attempt.errors).map(textOf);
        result.failed.push({
          test,
          report: `✖ ${test}\n  ${file}:${spec.line}\n${reasons.join("\n") || status}\n\n`,
        });
      }
    // The outermost suite is the file.
    for (const each of inner) add(each, [...above, each.title]);
  };
  for (const suite of suites) add(suite, []);
  const all: FileResult[] = [...results.values()];
  const said = errors.map(textOf).join("\n");
  if (errors.length > 0 || (code !== 0 && all.every(({ failed }) => failed.length === 0)))
    all.push(noReport(`✖ Playwright\n${said || `It ended with exit code ${code}.`}\n\n`));
  return all;
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");
const textOf = ({ stack, message }: { message?: string; stack?: string }) =>
  (stack ?? message ?? "").replace(ESCAPES, "");
