import { join } from "node:path";
import { fillDatabase } from "#lib/db/backup/fill.ts";
import { type Manifest, totalOf } from "#lib/db/backup/manifest.ts";
import { verifyBackup } from "#lib/db/backup/read.ts";
import { openEmbedded } from "#lib/db/embedded.ts";
import { findMigration } from "#lib/db/migration-file.ts";
import { installJobQueue } from "#lib/jobs/queue.ts";
import type { Env } from "#lib/kernel/env.ts";
import { updateDatabase } from "../update-database.ts";
import { restoreContents } from "./file-contents.ts";
import { requireFit } from "./secrets.ts";
import { settleLog } from "./settle-log.ts";

type Options = {
  /** An outside database, as the role that owns it, instead of the embedded one. */
  to?: string | undefined;
  /** Nothing was signed after the backup, so the log may go on from it. */
  continueLog?: boolean;
};

/**
 * Restores a backup into an empty database: everything is checked first, then all rows come in one transaction, then the migrations
 * that the backup did not have.
 * @throws BackupDamaged, SecretsDoNotFit, TargetInUse; whatever is thrown, the target has no rows that it did not have
 */
export async function restoreBackup(env: Env, file: string, { to, continueLog = false }: Options) {
  if (env.databaseUrl && to === undefined)
    throw new Error(
      "DATABASE_URL is set: name the database to restore into with --to, as the role that owns it. To restore into DATA_DIR, unset DATABASE_URL.",
    );
  const began = performance.now();
  const manifest = await verifyBackup(file);
  const warnings = requireFit(env, manifest);
  requireKnownMigrations(manifest);
  const target = await openTarget(env, to);
  try {
    const { tables, rows } = totalOf(manifest);
    const log = await fillDatabase(target, file, manifest, installJobQueue);
    const migrated = await updateDatabase(target.url, target.ownerUrl);
    warnings.push(...(await settleLog(env, target.ownerUrl, log, continueLog)));
    return {
      restored: file,
      made_at: manifest.made_at,
      into: target.name,
      tables,
      rows,
      files: await restoreContents(env, file),
      migrations_applied: migrated.applied.length,
      seconds: Math.round((performance.now() - began) / 1000),
      warnings,
      next_step: `Run "npm run admin -- check"${to ? " with DATABASE_URL set to the new database and AUTH_SECRET to this installation's secret" : ""}. With LIVE, run "npm run reconcile -- --all" after it.`,
    };
  } finally {
    await target.close();
  }
}

function requireKnownMigrations({ migrations }: Manifest): void {
  for (const { name, checksum } of migrations) {
    const here = findMigration(name);
    if (!here?.isChecksum(checksum))
      throw new Error(
        here === undefined
          ? `The backup has the migration ${name}, which this version does not know: restore it with the version that wrote it, or a newer one.`
          : `The migration ${name} has changed since the backup was made. Restore with an unmodified copy of the service.`,
      );
  }
}

type Target = { name: string; url: string; ownerUrl: string; close(): Promise<void> };

async function openTarget({ dataDir }: Env, to: string | undefined): Promise<Target> {
  if (to !== undefined) {
    if (!URL.canParse(to) || !/^postgres(ql)?:$/.test(new URL(to).protocol))
      throw new Error("--to must be a URL beginning with postgresql://.");
    const { host, pathname } = new URL(to);
    return { name: `${host}${pathname}`, url: to, ownerUrl: to, close: async () => undefined };
  }
  const dir = join(dataDir, "postgres");
  return { name: dir, ...(await openEmbedded({ dir })) };
}
