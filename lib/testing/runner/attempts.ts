import type { Result } from "./stages.ts";

/** What came of one attempt to run a test file. */
export type FileResult = {
  /** Its path from the project's folder; undefined for a failure that belongs to no single file. */
  file: string | undefined;
  /** Names of tests. */
  passed: string[];
  failed: Failure[];
};

type Failure = {
  /** The test; undefined for a failure outside tests, such as a hook's. */
  test: string | undefined;
  /** Where and why, as text for people. */
  report: string;
};

/** More files than this fail together because something is broken, and not because the machine was slow for a moment. */
export const MOST_REPEATED = 10;

/**
 * Runs test files, and those that failed once more: alone, after all others. What fails again has failed. What passes has passed, and
 * is named in the result, because a test that depends on the moment has to be repaired.
 * @param run runs files: `again` is whether this is their second attempt, in which nothing else may run
 */
export async function withSecondAttempt(
  files: readonly string[],
  run: (files: readonly string[], again: boolean) => Promise<FileResult[]>,
): Promise<Result> {
  const first = await run(files, false);
  const failed = first.filter((each) => each.failed.length > 0);
  const names = failed.flatMap(({ file }) => file ?? []);
  const isWorthIt = names.length > 0 && names.length <= MOST_REPEATED;
  const second = isWorthIt ? await run(names, true) : [];

  const result: Result = { passed: 0, failed: 0, output: "", late: [] };
  for (const attempt of first) {
    const repeated = second.find(({ file }) => file !== undefined && file === attempt.file);
    const isLate = repeated !== undefined && hasPassed(repeated, attempt);
    if (isLate) result.late.push(...namesOf(attempt));
    const counted = isLate ? repeated : attempt;
    result.passed += counted.passed.length;
    result.failed += counted.failed.length;
    result.output += attempt.failed.map(({ report }) => report).join("");
    if (repeated && !isLate) result.output += reportAgain(repeated, attempt);
  }
  // A failure that belongs to no file, in a second attempt, says that it was no fair one.
  for (const { file, failed: others } of second)
    if (file === undefined) {
      result.failed += others.length;
      result.output += others.map(({ report }) => report).join("");
    }
  return result;
}

/** Whether nothing failed the second time, and every test ran that is known from the first. */
function hasPassed(second: FileResult, first: FileResult): boolean {
  const passed = new Set(second.passed);
  const known = [...first.passed, ...first.failed.flatMap(({ test }) => test ?? [])];
  return second.failed.length === 0 && second.passed.length > 0 && known.every((name) => passed.has(name));
}

const namesOf = ({ file, failed }: FileResult) => [
  ...new Set(failed.map(({ test }) => `${file}: ${test ?? "all of it"}`)),
];

function reportAgain(second: FileResult, { file }: FileResult): string {
  const reports = second.failed.map(({ report }) => report).join("");
  return `The second attempt of ${file} failed as well:\n${reports || "Not every test of the first attempt ran.\n"}\n`;
}
