import { spawn } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Runs a program in the project's folder; resolves to its exit code and all that it said. */
export function runProgram(
  program: string,
  args: string[],
  variables: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((done) => {
    child.once("error", (error) => done({ code: 1, output: `${program}: ${error.message}` }));
    child.once("close", (code) => done({ code: code ?? 1, output }));
  });
}
