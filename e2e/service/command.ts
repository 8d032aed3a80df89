import { spawn } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** Runs one of the service's commands next to it. @returns its exit code and what it printed */
export function runCommand(args: string[], variables: Record<string, string>): Promise<{ code: number; said: string }> {
  const { DATABASE_URL, DATABASE_OWNER_URL, REDIS_URL, ...rest } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...rest, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code: code ?? 1, said }));
  });
}
