import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { runCommandLine } from "#lib/boot/command-line.ts";
import { type Run, runProgram } from "./run-program.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** What a command prints on standard output, as JSON. */
export type Printed = { ok: boolean; error?: { code: string; message: string } } & Record<string, unknown>;

/** Who `runHere` acts as, and the reason it gives. */
export const ADMINISTRATOR = "Grace";
export const REASON = "because of a test";
export const WHY = ["--reason", REASON, "--as", ADMINISTRATOR];

/** Runs a command as `npm run admin -- …` does, against the test's database, in this folder, with further variables. */
export function runAdmin(folder: string, args: string[], variables: Record<string, string> = {}): Promise<Run> {
  const env = { ...process.env, DATA_DIR: folder, LOG_LEVEL: "info", ...variables };
  return runProgram(process.execPath, [join(ROOT, "admin.ts"), ...args], { cwd: folder, env });
}

/** A command that succeeds: JSON on standard output, nothing else, and exit code 0. */
export async function succeeds(folder: string, ...args: string[]): Promise<Printed> {
  const { code, out, err } = await runAdmin(folder, args);
  assert.deepEqual([code, err], [0, ""], out + err);
  const answer = JSON.parse(out) as Printed;
  assert.equal(answer.ok, true);
  return answer;
}

/** Runs a command line in this process, on the test's database: what `admin.ts` runs, with a reason and a name. */
export async function runHere(...args: string[]): Promise<Record<string, unknown>> {
  const answer = await runCommandLine([...WHY, ...args], (_env, work) => work());
  return typeof answer === "string" ? { text: answer } : { ...answer };
}
