import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type FileResult, result } from "./results.ts";

const ROOT = resolve(import.meta.dirname, "../..");

type Problem = { message?: string; stack?: string };
/** What is read of a report by Playwright's json reporter. */
export type Report = { suites: ReportSuite[]; errors: Problem[] };
type ReportSuite = {
  title: string;
  file: string;
  specs: {
    title: string;
    line: number;
    tests: { status: "expected" | "unexpected" | "flaky" | "skipped"; results: { errors: Problem[] }[] }[];
  }[];
  suites?: ReportSuite[];
};

/** If this many tests fail, even in their second attempt, something is broken, and the rest is not run: it counts as failed. */
const MOST_FAILURES = 20;

/** Runs all browser tests with Playwright's command, which shows its progress and all failures, and runs a failed test once more. */
export async function browserTests(playwright: string, specs: readonly string[]): Promise<FileResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-report-"));
  try {
    const report = join(folder, "report.json");
    const args = [playwright, "test", "--reporter=dot,json", "--retries=1", `--max-failures=${MOST_FAILURES}`];
    const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, FORCE_COLOR: "0" };
    const [code] = await once(spawn(process.execPath, args, { cwd: ROOT, env, stdio: "inherit" }), "exit");
    const text = existsSync(report) ? readFileSync(report, "utf8") : `{ "suites": [], "errors": [] }`;
    return resultsOf(JSON.parse(text) as Report, code, specs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What came of each of these files, by the report and the exit code of Playwright. What was not run counts as failed. */
export function resultsOf({ suites, errors }: Report, code: number | null, specs: readonly string[]): FileResult[] {
  const results = suites.map((suite) => resultOf(suite, []));
  for (const file of specs)
    if (results.every((each) => each.file !== file || each.passed + each.failed.length === 0))
      results.push(result({ file, failed: [`✖ ${file}\nNo test of it ran.\n`] }));
  const said = errors.map(textOf).join("\n");
  if (errors.length > 0 || (code !== 0 && results.every(({ failed }) => failed.length === 0)))
    results.push(result({ failed: [`✖ Playwright\n${said || `It ended with exit code ${code}.`}\n`] }));
  return results;
}

/** The outermost suite is a file. */
function resultOf({ file, specs, suites = [] }: ReportSuite, above: string[]): FileResult {
  const found = result({ file: `e2e/${file}` });
  for (const { title, line, tests } of specs)
    for (const { status, results } of tests) {
      const name = `✖ ${[...above, title].join(" › ")}\n  e2e/${file}:${line}\n`;
      if (status === "expected" || status === "flaky") found.passed += 1;
      else found.failed.push(`${name}${status === "skipped" ? "skipped" : "failed, as shown above"}\n`);
      const reasons = results.flatMap((attempt) => attempt.errors).map(textOf);
      if (status === "flaky") found.flaky.push(`${name}${reasons.join("\n")}\n`);
    }
  for (const inner of suites) {
    const { passed, failed, flaky } = resultOf(inner, [...above, inner.title]);
    found.passed += passed;
    found.failed.push(...failed);
    found.flaky.push(...flaky);
  }
  return found;
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, "g");
const textOf = ({ stack, message }: Problem) => (stack ?? message ?? "").replace(ESCAPES, "");
