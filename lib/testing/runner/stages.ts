import { runProgram } from "../examples/run-program.ts";

export type Result = {
  passed: number;
  failed: number;
  output: string;
  /** Files and names of the tests that passed only at the second attempt; they count as passed. */
  late: string[];
};

export const NOTHING: Result = { passed: 0, failed: 0, output: "", late: [] };

const failure = (output: string): Result => ({ ...NOTHING, failed: 1, output });

/** One check that passes or fails as a whole. */
export async function check(program: string, args: string[]): Promise<Result> {
  const { code, output } = await runProgram(program, args);
  return code === 0 ? { ...NOTHING, passed: 1 } : failure(output);
}

/** The stages of a run, which count what passed and failed in all of them. */
export class Stages {
  passed = 0;
  failed = 0;
  readonly late: string[] = [];
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Runs a stage and prints what came of it; one that throws has failed. */
  async run(name: string, work: () => Promise<Result>): Promise<{ ok: boolean; ms: number }> {
    const start = performance.now();
    const { passed, failed, output, late } = await work().catch((error: unknown) =>
      failure(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    this.passed += passed;
    this.failed += failed;
    this.late.push(...late);
    const ms = performance.now() - start;
    const again = late.length > 0 ? `, ${late.length} of the passed only at the second attempt` : "";
    this.#print(`${name.padEnd(24)} ${passed} passed, ${failed} failed${again} (${(ms / 1_000).toFixed(1)} s)`);
    if (output) this.#print(`${output.trim()}\n`);
    return { ok: failed === 0, ms };
  }

  /** Prints the closing lines; the last is "N passed, N failed". */
  close(): void {
    if (this.late.length > 0) {
      this.#print(
        "Failed at first, and passed at the second attempt, alone. Repair these tests: they depend on the moment.",
      );
      for (const name of this.late) this.#print(`  ${name}`);
    }
    this.#print(`${this.passed} passed, ${this.failed} failed`);
  }
}
