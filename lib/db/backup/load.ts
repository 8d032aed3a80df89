import { once } from "node:events";
import { finished } from "node:stream/promises";
import type pg from "pg";
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams";
import { BackupDamaged } from "./archive.ts";
import type { BackedUpTable, Manifest } from "./manifest.ts";
import { readParts } from "./read.ts";
import { BOOKKEEPING, listRebuilt, listTables, quoted } from "./relations.ts";

/** Tables in which migrations leave rows, which those of the backup replace. */
const SEEDED = new Set(["event_feed"]);

/** There is data where a backup was to be restored. */
class TargetInUse extends Error {
  readonly code = "target_not_empty";
}

/** @throws TargetInUse if any table has rows that a migration did not write */
export async function requireEmpty(client: pg.ClientBase, where: string): Promise<void> {
  for (const { name } of await listTables(client)) {
    if (SEEDED.has(name)) continue;
    const { rowCount } = await client.query(`SELECT FROM ${quoted(name)} LIMIT 1`);
    if (rowCount)
      throw new TargetInUse(
        `${where} has data already (in the table ${name}). Restore into an empty data folder, or an empty database with --to; nothing was changed.`,
      );
  }
}

/**
 * Loads every row of a verified backup, in one transaction: all of it, or nothing. The database has the backup's migrations, the job
 * queue and no data. Triggers don't run, foreign keys are checked at the end, and indexes are built after the rows are there.
 * @param client connected as the owner of the tables, for this alone
 * @throws TargetInUse; Error naming a table or column of the backup that the database doesn't have
 */
export async function loadBackup(client: pg.Client, file: string, manifest: Manifest, where: string): Promise<void> {
  await client.query("BEGIN");
  await client.query("SET LOCAL statement_timeout = 0; SET LOCAL maintenance_work_mem = '256MB'");
  const tables = await listTables(client);
  await client.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(", ")} IN ACCESS EXCLUSIVE MODE NOWAIT`);
  await requireEmpty(client, where);
  requireKnown(manifest, tables);
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
  const rebuilt = await listRebuilt(client);
  for (const { drop } of rebuilt.toReversed()) await client.query(drop);
  for (const name of SEEDED) await client.query(`DELETE FROM ${quoted(name)}`);
  await copyRows(client, file, manifest);
  for (const { create } of rebuilt) await client.query(create);
  for (const { name, value, called } of manifest.sequences)
    await client.query("SELECT setval($1, $2, $3)", [quoted(name), value, called]);
  await client.query(FREE_JOBS);
  for (const { name } of tables) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
  await client.query("COMMIT");
  await client.query(`ANALYZE ${tables.map(({ name }) => quoted(name)).join(", ")}`);
}

/** The workers that held these jobs are not there. */
const FREE_JOBS = `
  UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_by IS NOT NULL;
  UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL WHERE locked_by IS NOT NULL`;

function requireKnown(manifest: Manifest, tables: { name: string; columns: string[] }[]): void {
  const known = new Map(tables.map(({ name, columns }) => [name, new Set(columns)]));
  for (const { name, columns } of manifest.tables) {
    const missing = columns.find((column) => !known.get(name)?.has(column));
    if (missing !== undefined || BOOKKEEPING.includes(name))
      throw new Error(
        `The backup has ${name}.${missing ?? "*"}, which this version does not know: restore it with the version that wrote it, or a newer one.`,
      );
  }
}

async function copyRows(client: pg.Client, file: string, { tables }: Manifest): Promise<void> {
  const byName = new Map(tables.map((table) => [table.name, table]));
  let open: { table: BackedUpTable; copy: CopyStreamQuery } | undefined;
  const close = async () => {
    if (!open) return;
    const { table, copy } = open;
    open = undefined;
    copy.end();
    await finished(copy);
    if (copy.rowCount !== table.rows)
      throw new BackupDamaged(`${table.name} has ${copy.rowCount} rows in the file, not ${table.rows}.`);
  };
  for await (const part of readParts(file)) {
    if (!("content" in part)) break;
    if (open?.table.name !== part.table) {
      await close();
      const table = byName.get(part.table);
      if (!table) throw new BackupDamaged(`The manifest doesn't know the table ${part.table}.`);
      const columns = table.columns.map(quoted).join(", ");
      const copy = client.query(copyFrom(`COPY ${quoted(table.name)} (${columns}) FROM STDIN`));
      // The caller that awaits the copy gets its error.
      copy.on("error", () => undefined);
      open = { table, copy };
    }
    const { copy } = open as { copy: CopyStreamQuery };
    if (!copy.write(part.content)) await once(copy, "drain");
  }
  await close();
}
