import { runProgram } from "./run-program.ts";

export type Result = { passed: number; failed: number; output: string };

export const NOTHING: Result = { passed: 0, failed: 0, output: "" };

const failure = (output: string): Result => ({ passed: 0, failed: 1, output });

/** One check that passes or fails as a whole. */
export async function check(program: string, args: string[]): Promise<Result> {
  const { code, output } = await runProgram(program, args);
  return code === 0 ? { passed: 1, failed: 0, output: "" } : failure(output);
}

/** The stages of a run, which count what passed and failed in all of them. */
export class Stages {
  passed = 0;
  failed = 0;
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Runs a stage and prints what came of it; one that throws has failed. */
  async run(name: string, work: () => Promise<Result>): Promise<{ ok: boolean; ms: number }> {
    const start = performance.now();
    const result = await work().catch((error: unknown) =>
      failure(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    this.passed += result.passed;
    this.failed += result.failed;
    const ms = performance.now() - start;
    this.#print(`${name.padEnd(24)} ${result.passed} passed, ${result.failed} failed (${(ms / 1_000).toFixed(1)} s)`);
    if (result.failed > 0) this.#print(`${result.output.trim()}\n`);
    return { ok: result.failed === 0, ms };
  }
}
