import { join } from "node:path";
import { readDurable, writeDurable } from "#lib/kernel/files/durable-file.ts";
import { withFileLock } from "#lib/kernel/files/file-lock.ts";
import { fromBase64, toBase64 } from "#sdk/bytes.ts";
import type { Hash } from "#sdk/tlog/merkle.ts";
import type { LogName } from "./signing-key.ts";
import { SigningRefused, stateFolder } from "./signing-setup.ts";

/*
 * What was signed last, outside the database: a database that goes back to an earlier state cannot make us sign a second history.
 */

/** `ahead`: a witness that has seen more of this log than we have signed. */
export type SignedState = { origin: string; size: number; root: Hash; ahead?: { witness: string; size: number } };

const fileOf = ({ id }: LogName) => join(stateFolder(), `log-${id}.state`);

/** Runs `work` while no other process of this folder signs. */
export function withState<Result>(tree: LogName, work: () => Promise<Result>): Promise<Result> {
  return withFileLock(`${fileOf(tree)}.lock`, work, { timeoutSeconds: 20 });
}

/** Undefined if this log was never signed from this folder. @throws SigningRefused if the file is damaged, or of another log */
export function readState(tree: LogName): SignedState | undefined {
  const text = readDurable(fileOf(tree));
  if (text === undefined) return undefined;
  const state = parseState(text);
  if (!state)
    throw new SigningRefused(
      "The record of what the log signed last is damaged. Restore the data folder from a backup.",
    );
  if (state.origin !== tree.origin)
    throw new SigningRefused(
      `The record of what was signed last is of ${state.origin}, but this log is ${tree.origin}. Check DATA_DIR and LOG_STATE_DIR.`,
    );
  return state;
}

export function writeState(tree: LogName, state: SignedState): void {
  writeDurable(fileOf(tree), stateText(state));
}

/** The content of the file. */
export function stateText({ root, ...state }: SignedState): string {
  return `${JSON.stringify({ ...state, root: toBase64(root) })}\n`;
}

/** Undefined if the file is damaged. */
export function parseState(text: string): SignedState | undefined {
  try {
    const { origin, size, root, ahead } = JSON.parse(text);
    const hash = fromBase64(root);
    if (typeof origin !== "string" || !Number.isSafeInteger(size) || size < 0 || hash?.length !== 32) return undefined;
    return { origin, size, root: hash, ...(ahead ? { ahead } : {}) };
  } catch {
    return undefined;
  }
}
