import { spawn } from "node:child_process";

/** The most that a result may have, in characters; a program that prints more is stopped. */
const MOST_CHARACTERS = 50_000;

export type Work = { result: string } | { failure: string };

/**
 * Runs the provider's program for one task: the task as JSON on its standard input, the result from its standard output. A single
 * word with spaces is a shell command. The program gets no variable of Guildhall, so it has no secret to give away.
 */
export function runWork(
  [program = "", ...args]: readonly string[],
  task: object,
  env: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Work> {
  const own = Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("GUILDHALL_")),
  ) as NodeJS.ProcessEnv;
  const shell = args.length === 0 && /\s/.test(program);
  return new Promise((done, fail) => {
    // Stopped, it ends at once: what it has done so far is done again after a restart.
    const child = spawn(program, args, {
      env: own,
      shell,
      signal,
      killSignal: "SIGKILL",
      stdio: ["pipe", "pipe", "inherit"],
    });
    let result = "";
    let isTooLong = false;
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk: string) => {
      result += chunk;
      if (result.length <= MOST_CHARACTERS * 2 || isTooLong) return;
      isTooLong = true;
      child.kill("SIGKILL");
    });
    child.on("error", (error) => (signal.aborted ? fail(signal.reason) : done({ failure: error.message })));
    child.on("close", (code, killed) => {
      if (signal.aborted) fail(signal.reason);
      else if (isTooLong || [...result.trim()].length > MOST_CHARACTERS)
        done({ failure: `it printed more than ${MOST_CHARACTERS} characters` });
      else if (code !== 0) done({ failure: killed ? `it was ended by ${killed}` : `it exited with ${code}` });
      else if (result.trim() === "") done({ failure: "it printed nothing" });
      else done({ result: result.trim() });
    });
    // A program that does not read its input is no error.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(task));
  });
}
