/** What came of a test file, or of a check that has no file. */
export type FileResult = {
  /** Its path from the project's folder; undefined for what belongs to no single file. */
  file?: string;
  passed: number;
  /** Where and why, as text for people: one for each failure. */
  failed: string[];
  /** Tests whose program is not installed here, each with what it needs. */
  notRun: string[];
  /** The failures of the first attempt, if the second passed. */
  flaky: string[];
};

export const result = (fields: Partial<FileResult>): FileResult => ({
  passed: 0,
  failed: [],
  notRun: [],
  flaky: [],
  ...fields,
});

/** More files than this fail together because something is broken, not because a test depends on the moment. */
export const MOST_REPEATED = 10;
/** The run fails if more files than this are flaky. */
export const MOST_FLAKY = 2;

/** Runs the files that failed again, each alone. One that then passes with as many tests is flaky. */
export async function withSecondAttempt(
  first: FileResult[],
  runAlone: (file: string) => Promise<FileResult[]>,
): Promise<FileResult[]> {
  const isRepeated = ({ file, failed }: FileResult) => file !== undefined && failed.length > 0;
  if (first.filter(isRepeated).length > MOST_REPEATED) return first;
  const results: FileResult[] = [];
  for (const attempt of first) {
    results.push(attempt);
    if (!attempt.file || !isRepeated(attempt)) continue;
    const second = await runAlone(attempt.file);
    const passed = second.reduce((sum, each) => sum + each.passed, 0);
    const isFlaky = second.every(({ failed }) => failed.length === 0) && passed > attempt.passed;
    if (isFlaky) results.splice(-1, 1, { ...attempt, passed, failed: [], flaky: attempt.failed });
    else attempt.failed[0] += `The second attempt of ${attempt.file} failed too.\n`;
  }
  return results;
}

/** The stages of a run, and everything that they found. */
export class Run {
  readonly #print: (line: string) => void;
  readonly #all: FileResult[] = [];

  constructor(print: (line: string) => void = console.log) {
    this.#print = print;
  }

  /** Runs a stage and prints what came of it; one that throws has failed. @returns whether nothing failed */
  async stage(name: string, work: () => Promise<FileResult[]>): Promise<boolean> {
    const start = performance.now();
    const results = await work().catch((error: unknown) => [
      result({ failed: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }),
    ]);
    this.#all.push(...results);
    const { passed, failed } = count(results);
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    this.#print(`${name.padEnd(24)} ${passed} passed, ${failed} failed (${seconds} s)`);
    for (const report of results.flatMap((each) => each.failed)) this.#print(report);
    return failed === 0;
  }

  /** Prints the closing lines; the last is "N passed, N failed". @returns whether the run failed */
  close(): boolean {
    for (const name of this.#all.flatMap(({ notRun }) => notRun)) this.#print(`not run: ${name}`);
    const flaky = this.#all.filter((each) => each.flaky.length > 0);
    if (flaky.length > 0) {
      this.#print(`${flaky.length} flaky: failed at first, and passed when run again. Repair these tests.`);
      for (const { file, flaky: reports } of flaky) this.#print(`flaky: ${file}\n${reports.join("\n")}`);
    }
    const { passed, failed } = count(this.#all);
    const tooMany = flaky.length > MOST_FLAKY;
    if (tooMany) this.#print(`More than ${MOST_FLAKY} files were flaky, which counts as one failure.`);
    this.#print(`${passed} passed, ${failed + Number(tooMany)} failed`);
    return tooMany || failed > 0;
  }
}

function count(results: FileResult[]) {
  return {
    passed: results.reduce((sum, each) => sum + each.passed, 0),
    failed: results.reduce((sum, each) => sum + each.failed.length, 0),
  };
}
