import { spawn } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

export type Run = {
  /** Null while it runs, and if a signal ended it or it could not be started. */
  code: number | null;
  out: string;
  err: string;
  /** Both together, in the order in which they came. */
  output: string;
};

type Options = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string };

/** Starts a program, by default in the project's folder. `run` fills as it prints. */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd = ROOT, env = process.env, input = "" }: Options = {},
) {
  const child = spawn(program, args, { cwd, env });
  const run: Run = { code: null, out: "", err: "", output: "" };
  for (const name of ["out", "err"] as const)
    child[`std${name}`].setEncoding("utf8").on("data", (text: string) => {
      run[name] += text;
      run.output += text;
    });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<Run>((done) => {
    child.once("error", (error) => done({ ...run, output: `${program}: ${error.message}` }));
    child.once("close", (code) => done(Object.assign(run, { code })));
  });
  return { child, run, ended };
}

/** Runs a program to its end. */
export const runProgram = (...given: Parameters<typeof startProgram>): Promise<Run> => startProgram(...given).ended;
