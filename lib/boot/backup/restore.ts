import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { loadBackup, requireEmpty } from "#lib/db/backup/load.ts";
import type { Manifest } from "#lib/db/backup/manifest.ts";
import { verifyBackup } from "#lib/db/backup/read.ts";
import { openEmbedded } from "#lib/db/embedded.ts";
import { checksumOfFile, migrate, migrationNames } from "#lib/db/migrate.ts";
import { installJobQueue } from "#lib/jobs/queue.ts";
import { writeDurable } from "#lib/kernel/durable-file.ts";
import type { Env } from "#lib/kernel/env.ts";
import { toBase64 } from "#sdk/bytes.ts";
import { parseCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { updateDatabase } from "../update-database.ts";
import { requireFit } from "./secrets.ts";

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
  const began = performance.now();
  const manifest = await verifyBackup(file);
  const warnings = requireFit(env, manifest);
  requireKnownMigrations(manifest);
  const target = await openTarget(env, to);
  try {
    const log = await fill(target, file, manifest);
    const migrated = await updateDatabase(target.url, target.ownerUrl);
    if (log) warnings.push(...settleLog(env, log, continueLog));
    return {
      restored: file,
      made_at: manifest.made_at,
      into: target.name,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
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
    const here = checksumOfFile(name);
    if (here !== checksum)
      throw new Error(
        here === undefined
          ? `The backup has the migration ${name}, which this version does not know: restore it with the version that wrote it, or a newer one.`
          : `The migration ${name} was another one when the backup was made: use an unchanged copy of this version.`,
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

type LogHead = { id: number; origin: string; note: string };

/** @returns the newest signed log of the backup */
async function fill({ name, ownerUrl }: Target, file: string, manifest: Manifest): Promise<LogHead | undefined> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "guildhall restore" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { rowCount: isMigrated } = await client.query(
      "SELECT 1 FROM pg_class WHERE oid = to_regclass('_prisma_migrations')",
    );
    if (isMigrated) {
      await requireEmpty(client, name);
      await refuseNewer(client, name, manifest);
    }
    const names = manifest.migrations.map((migration) => migration.name);
    await migrate(ownerUrl, undefined, undefined, names);
    await installJobQueue(ownerUrl);
    await loadBackup(client, file, manifest, name);
    if (!names.includes(LOG_MIGRATION)) return undefined;
    const { rows } = await client.query<LogHead>(
      "SELECT t.id, t.origin, c.note FROM log_trees t JOIN log_checkpoints c ON c.tree = t.id ORDER BY t.id DESC LIMIT 1",
    );
    return rows[0];
  } finally {
    await client.end();
  }
}

const LOG_MIGRATION = "20261122120400_log";

async function refuseNewer(client: pg.Client, where: string, { migrations }: Manifest): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const { rows } = await client.query<{ name: string }>("SELECT migration_name AS name FROM _prisma_migrations");
  const extra = rows.find(({ name }) => !known.has(name) && migrationNames().includes(name));
  if (extra)
    throw new Error(
      `${where} has the migration ${extra.name}, which the backup has not: restore into a database without tables.`,
    );
}

/** @returns what the operator has to know about signing, as sentences */
function settleLog(env: Env, { id, origin, note }: LogHead, continueLog: boolean): string[] {
  const file = join(env.logStateDir ?? join(env.dataDir, "log"), `log-${id}.state`);
  const head = parseCheckpoint(note);
  if (!head) return ["The log's checkpoint in this backup cannot be read."];
  if (existsSync(file)) return [];
  if (continueLog) {
    writeDurable(file, `${JSON.stringify({ origin, size: head.size, root: toBase64(head.root) })}\n`);
    return [];
  }
  return [
    `The record of what the log signed last (${file}) is not here, so nothing will be signed. If nothing was signed after this backup, restore it with --continue-log. Otherwise start another log: npm run admin -- log-restart --reason "…".`,
  ];
}
