import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join, resolve } from "node:path";
import { checkDatabase } from "#lib/admin/check/check.ts";
import type { OwnCommand } from "#lib/admin/commands/command.ts";
import { totalOf } from "#lib/db/backup/manifest.ts";
import { writeBackup } from "#lib/db/backup/write.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import type { Env } from "#lib/kernel/env.ts";
import { idPattern } from "#lib/kernel/ids.ts";
import { openDatabase } from "../database.ts";
import { backUpContents } from "./file-contents.ts";
import { restoreBackup } from "./restore.ts";
import { secretPrints } from "./secrets.ts";

export const BACKUP_COMMANDS: Record<string, OwnCommand> = {
  backup: {
    args: ["FILE"],
    summary:
      "back the database up to a new file, and the files of tasks to a folder beside it, while the service runs or not. Keep the secrets that it lists, too",
    example: "backup /backups/guildhall.tar.zst",
    runOn: (env, [file = ""]) => backUp(env, resolve(file)),
  },
  restore: {
    args: ["FILE"],
    options: ["to", "continue-log"],
    summary:
      "restore a backup into an empty DATA_DIR, or with --to into an empty outside database (as the role that owns it). --continue-log: nothing was signed after the backup, so the transparency log goes on",
    example: "restore /backups/guildhall.tar.zst",
    runOn: async (env, [file = ""], given) => {
      requireFile(file);
      return restoreBackup(env, resolve(file), { to: given.get("to"), continueLog: given.has("continue-log") });
    },
  },
  check: {
    args: [],
    options: ["deep"],
    summary:
      "check that the ledger sums to zero, positions have no gaps, the log is what was signed, every idempotency key has its object, nothing is orphaned, and every kept file is there (with --deep, with its hash)",
    example: "check",
    runOn: (env, _args, given) => withDatabase(env, (url) => checkDatabase(url, { deep: given.has("deep") })),
  },
};

function requireFile(file: string): void {
  if (existsSync(file)) return;
  const meant = idPattern("agt").test(file)
    ? ` To lift the suspension of an identity: npm run admin -- unsuspend ${file}`
    : "";
  throw new Error(`There is no file ${file}.${meant}`);
}

async function backUp(env: Env, file: string): Promise<object> {
  if (existsSync(file)) throw new Error(`${file} exists: choose another name, or remove it.`);
  // The service goes first where both want the processor.
  setPriority(10);
  const began = performance.now();
  await backUpContents(env, file);
  const manifest = await withDatabase(env, (url) =>
    writeBackup(url, file, secretPrints(env), { now: systemClock.now() }),
  );
  const files = await backUpContents(env, file);
  return {
    file,
    made_at: manifest.made_at,
    ...totalOf(manifest),
    files,
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
