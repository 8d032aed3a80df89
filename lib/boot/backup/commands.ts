import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import { checkDatabase } from "#lib/admin/check/check.ts";
import type { Given } from "#lib/admin/commands/arguments.ts";
import { totalOf } from "#lib/db/backup/manifest.ts";
import { writeBackup } from "#lib/db/backup/write.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Env } from "#lib/kernel/env.ts";
import { openDatabase } from "../database.ts";
import { restoreBackup } from "./restore.ts";
import { secretPrints } from "./secrets.ts";

/** A command that opens the database in its own way: without migrating it first, or not before it is restored. */
export type OwnCommand = {
  args: string[];
  flags?: string[];
  options?: Record<string, string>;
  summary: string;
  changes: false;
  run(env: Env, args: string[], given: Given): Promise<object>;
};

export const BACKUP_COMMANDS: Record<string, OwnCommand> = {
  backup: {
    args: ["FILE"],
    summary: "back the database up to a new file, while the service runs or not. Keep the secrets that it lists, too",
    changes: false,
    run: (env, [file = ""]) => backUp(env, resolve(file)),
  },
  restore: {
    args: ["FILE"],
    options: { to: "DATABASE_URL" },
    flags: ["continue-log"],
    summary:
      "restore a backup into an empty DATA_DIR, or with --to into an empty outside database (as the role that owns it). --continue-log: nothing was signed after the backup, so the transparency log goes on",
    changes: false,
    run: (env, [file = ""], given) =>
      restoreBackup(env, resolve(file), { to: given.get("to"), continueLog: given.has("continue-log") }),
  },
  check: {
    args: [],
    summary:
      "check that the ledger sums to zero, positions have no gaps, the log is what was signed, every idempotency key has its object, and nothing is orphaned",
    changes: false,
    run: (env) => withDatabase(env, checkDatabase),
  },
};

async function backUp(env: Env, file: string): Promise<object> {
  if (existsSync(file)) throw new Error(`${file} exists: choose another name, or remove it.`);
  // The service goes first where both want the processor.
  setPriority(10);
  const began = performance.now();
  const manifest = await withDatabase(env, (url) =>
    writeBackup(url, file, secretPrints(env), { now: systemClock.now() }),
  );
  return {
    file,
    made_at: manifest.made_at,
    ...totalOf(manifest),
    seconds: Math.round((performance.now() - began) / 1000),
    secrets: manifest.secrets,
    next_step:
      "These are not in the backup; store them separately: AUTH_SECRET (or DATA_DIR/secrets), and the log's key and state (DATA_DIR/log, or LOG_SIGNING_KEY and LOG_STATE_DIR).",
  };
}

async function withDatabase<Result>(env: Env, work: (url: string) => Promise<Result>): Promise<Result> {
  if (!env.databaseUrl && !existsSync(join(env.dataDir, "postgres")))
    throw new Error(`There is no database in ${env.dataDir}: set DATA_DIR or DATABASE_URL.`);
  const database = await openDatabase(env);
  try {
    return await work(database.url);
  } finally {
    await database.close();
  }
}
