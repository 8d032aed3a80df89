import { join } from "node:path";
import { env } from "#lib/kernel/env.ts";

/** Why this process does not sign: a sentence that says what to do. */
export class SigningRefused extends Error {
  /** Signing was never set up here, which may be intended. */
  readonly isUnset: boolean;
  constructor(message: string, isUnset = false) {
    super(message);
    this.isUnset = isUnset;
  }
}

/**
 * The folder of the keys, and of what was signed last. Processes that share a database need one folder.
 * @throws SigningRefused if there is none
 */
export function stateFolder(): string {
  const { dataDir, logStateDir } = env();
  if (logStateDir) return logStateDir;
  if (!ownsDatabase())
    throw new SigningRefused(
      "LOG_STATE_DIR is not set. With DATABASE_URL, set it to a folder that all processes share, and LOG_SIGNING_KEY.",
      true,
    );
  return join(dataDir, "log");
}

/** Whether the database is our own, which only processes with the same data folder share. */
export function ownsDatabase(): boolean {
  return process.env.OWN_DATABASE === "1";
}

/** Whether this process has been given what it needs to sign: a key, or a place for one, and a folder for its state. */
export function isSigningSetUp(): boolean {
  return ownsDatabase() || (env().logSigningKey !== undefined && env().logStateDir !== undefined);
}
