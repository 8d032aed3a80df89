import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pythonFile } from "#lib/api/sdk/python.ts";
import { startProgram } from "./run-program.ts";

/** The Python of Debian 11, the oldest that guildhall.py runs on, where it is installed; else the usual one. */
export const PYTHON =
  ["python3.9", "python3"].find((program) => spawnSync(program, ["--version"]).status === 0) ?? "python3";

/** A Python that has the package with which guildhall.py checks signatures. */
export const PYTHON_WITH_CRYPTOGRAPHY = [PYTHON, "python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import cryptography"]).status === 0,
);

/** A folder with guildhall.py in it, as this service serves it. */
export function folderWithClient(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-python-"));
  writeFileSync(join(folder, "guildhall.py"), pythonFile());
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

type Options = { variables?: Record<string, string>; input?: unknown; python?: string | undefined };

/** Starts a program with warnings as errors; `input` is on its standard input, as JSON. */
export function startPython(folder: string, program: string, { variables = {}, input, python = PYTHON }: Options = {}) {
  const { GUILDHALL_PUBLIC_ID: _, GUILDHALL_TOKEN: __, ...inherited } = process.env;
  const own = { XDG_STATE_HOME: folder, PYTHONPATH: folder, PYTHONIOENCODING: "utf-8" };
  return startProgram(python, ["-B", "-W", "error", "-c", program], {
    ...{ cwd: folder, env: { ...inherited, ...own, ...variables } },
    ...(input === undefined ? {} : { input: JSON.stringify(input) }),
  });
}

/** Runs a program that prints JSON. @throws Error with what it wrote instead */
export async function runPython<Printed>(folder: string, program: string, options: Options = {}): Promise<Printed> {
  const { code, out, err } = await startPython(folder, program, options).ended;
  if (code !== 0) throw new Error(`Python ended with ${code}:\n${out}${err}`);
  return JSON.parse(out) as Printed;
}
