import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { totalOf } from "#lib/db/backup/manifest.ts";
import { writeBackup } from "#lib/db/backup/write.ts";
import { type Clock, systemClock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { tryLock } from "#lib/kernel/files/file-lock.ts";
import { log } from "#lib/kernel/log.ts";
import { onceEach } from "#lib/kernel/once-each.ts";
import { oneAtATime } from "#lib/kernel/one-at-a-time.ts";
import { ownsDatabase } from "#lib/record/log/signing-setup.ts";
import { backUpContents, removeContents } from "./file-contents.ts";
import { secretPrints } from "./secrets.ts";

/** The hour, in UTC, from which a day's backup is due. */
const HOUR = 3;
/** How often to look. A service that runs for a shorter time makes no backup. */
const LOOK_MS = 10 * 60_000;

const NAME = /^guildhall-\d{4}-\d{2}-\d{2}T\d{4}Z\.tar\.zst$/;

function backupFolder(): string {
  return env().backupDir ?? join(env().dataDir, "backups");
}

/**
 * Backs the embedded database up every night, in the first process that notices. An outside database has its own backups.
 * @returns what stops it; a backup that is being written is given up
 */
export function startNightlyBackups(): { stop(): Promise<void> } {
  if (!ownsDatabase() || env().backupKeep === 0) return { stop: async () => undefined };
  const stopping = new AbortController();
  const report = onceEach((err) => log().error({ err }, "the nightly backup failed, and will be tried again"));
  const backUp = oneAtATime(async () => {
    if (stopping.signal.aborted) return;
    await backUpIfDue(systemClock, stopping.signal).then(
      () => report(),
      (error: Error) => stopping.signal.aborted || report(error),
    );
  });
  const timer = setInterval(backUp, LOOK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await backUp();
    },
  };
}

/**
 * Writes a backup unless there is one since the last hour of backups, then removes the oldest ones beyond `BACKUP_KEEP`.
 * @returns the new file; undefined if none was due, or another process is writing one
 */
export async function backUpIfDue(clock: Clock, signal?: AbortSignal): Promise<string | undefined> {
  const folder = backupFolder();
  const lock = tryLock(join(folder, ".lock"), "exclusive");
  if (!lock) return undefined;
  try {
    const now = clock.now();
    const newest = lastBackup();
    if (newest && newest >= lastHour(now)) return undefined;
    for (const left of readdirSync(folder).filter((name) => name.includes(".part-"))) rmSync(join(folder, left));
    const file = join(
      folder,
      `guildhall-${now
        .toISOString()
        .slice(0, 16)
        .replace(/:(?=\d\d$)/, "")}Z.tar.zst`,
    );
    const { databaseUrl = "" } = env();
    await backUpContents(env(), file);
    const manifest = await writeBackup(databaseUrl, file, secretPrints(env()), { now, signal });
    const files = await backUpContents(env(), file);
    log().info({ file, files, rows: totalOf(manifest).rows }, "nightly backup written");
    for (const name of backups(folder).slice(0, -env().backupKeep)) {
      rmSync(join(folder, name));
      await removeContents(join(folder, name));
    }
    return file;
  } finally {
    lock.release();
  }
}

/** When the newest nightly backup was finished. */
export function lastBackup(): Date | undefined {
  const folder = backupFolder();
  const newest = backups(folder).at(-1);
  return newest === undefined ? undefined : statSync(join(folder, newest), { throwIfNoEntry: false })?.mtime;
}

/** Oldest first. */
function backups(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => NAME.test(name))
    .sort();
}

function lastHour(now: Date): Date {
  const hour = new Date(now);
  hour.setUTCHours(HOUR, 0, 0, 0);
  if (hour > now) hour.setUTCDate(hour.getUTCDate() - 1);
  return hour;
}
