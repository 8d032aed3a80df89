import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const ROOT = resolve(import.meta.dirname, "../..");

/** Runs a program in the project's folder. @returns its exit code and everything that it printed; `onLine` gets each line at once */
export function runProgram(
  program: string,
  args: string[],
  variables: Record<string, string> = {},
  onLine: (line: string) => void = () => undefined,
): Promise<{ code: number; output: string }> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => {
      output += `${line}\n`;
      onLine(line);
    });
  return new Promise((done) => {
    child.once("error", (error) => done({ code: 1, output: `${program}: ${error.message}` }));
    child.once("close", (code) => done({ code: code ?? 1, output }));
  });
}
