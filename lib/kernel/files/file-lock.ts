import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

/** A lock between the processes of one machine. The operating system releases it if the process dies. */
export type FileLock = { release(): void };

/*
 * SQLite locks an empty file with the system's own file locks, which Node does not offer. Unlike a file
 * that names its holder, nothing can be left behind by `kill -9`, and no process number is ever mistaken for another.
 */
const held = new Set<DatabaseSync>();

/** The lock, or undefined when others hold it: many may share it, one may have it exclusively. */
export function tryLock(file: string, mode: "exclusive" | "shared"): FileLock | undefined {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(mode === "exclusive" ? "BEGIN EXCLUSIVE" : "BEGIN; SELECT count(*) FROM sqlite_schema");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  // A database that nobody refers to is closed by the garbage collector, and the lock with it.
  held.add(database);
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}

/**
 * Waits its turn, runs `work` alone and lets the next one in. `onWait` is called once if it has to wait; after
 * `timeoutSeconds` it gives up with an error.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  options: { onWait?: () => void; timeoutSeconds?: number } = {},
): Promise<T> {
  const { onWait, timeoutSeconds = 300 } = options;
  const deadline = performance.now() + timeoutSeconds * 1000;
  let lock = tryLock(file, "exclusive");
  if (!lock) onWait?.();
  while (!lock) {
    if (performance.now() > deadline)
      throw new Error(`Another process has held ${file} for ${timeoutSeconds} seconds.`);
    await delay(25);
    lock = tryLock(file, "exclusive");
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
