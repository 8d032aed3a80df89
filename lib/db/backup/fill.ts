import type pg from "pg";
import { migrate } from "../migrate.ts";
import { migrationNames } from "../migration-file.ts";
import { withClient } from "../with-client.ts";
import { loadBackup, requireEmpty } from "./load.ts";
import type { Manifest } from "./manifest.ts";

/** The newest log of a backup, with its signed checkpoint. */
export type LogHead = { id: number; origin: string; note: string };

const LOG_MIGRATION = "20261122120400_log";

/**
 * Migrates an empty database as far as the backup's was, and loads the backup's rows.
 * @param installQueue creates the tables of the job queue, as their owner
 * @returns the newest signed log of the backup
 */
export async function fillDatabase(
  { name, ownerUrl }: { name: string; ownerUrl: string },
  file: string,
  manifest: Manifest,
  installQueue: (ownerUrl: string) => Promise<void>,
): Promise<LogHead | undefined> {
  const fill = async (client: pg.Client) => {
    const { rowCount: isMigrated } = await client.query(
      "SELECT 1 FROM pg_class WHERE oid = to_regclass('_prisma_migrations')",
    );
    if (isMigrated) {
      await requireEmpty(client, name);
      await refuseNewer(client, name, manifest);
    }
    const names = manifest.migrations.map((migration) => migration.name);
    await migrate(ownerUrl, undefined, undefined, names);
    await installQueue(ownerUrl);
    await loadBackup(client, file, manifest, name);
    if (!names.includes(LOG_MIGRATION)) return undefined;
    const { rows } = await client.query<LogHead>(
      "SELECT t.id, t.origin, c.note FROM log_trees t JOIN log_checkpoints c ON c.tree = t.id ORDER BY t.id DESC LIMIT 1",
    );
    return rows[0];
  };
  return withClient(ownerUrl, fill, { application_name: "guildhall restore" });
}

async function refuseNewer(client: pg.Client, where: string, { migrations }: Manifest): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const { rows } = await client.query<{ name: string }>("SELECT migration_name AS name FROM _prisma_migrations");
  const extra = rows.find(({ name }) => !known.has(name) && migrationNames().includes(name));
  if (extra)
    throw new Error(
      `${where} has the migration ${extra.name}, which the backup has not: restore into a database without tables.`,
    );
}
