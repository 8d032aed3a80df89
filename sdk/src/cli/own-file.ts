import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A file of this program in the XDG folder, or in the usual one if that variable is not set. */
export function ownFile(env: Record<string, string | undefined>, kind: "CONFIG" | "STATE", name: string): string {
  const usual = join(env.HOME || homedir(), kind === "CONFIG" ? ".config" : ".local/state");
  return join(env[`XDG_${kind}_HOME`] || usual, "guildhall", name);
}

/** The text of a file; undefined if it is not there. */
export function readOwn(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, in one step: nobody ever sees half of it.
 * @param isTrial writes everything but the file itself, to see whether that can be done
 */
export function writeOwn(file: string, value: object, isTrial = false): void {
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    if (!isTrial) renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
