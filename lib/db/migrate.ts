import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

// Inside Next's bundles a module has no folder of its own, and the working folder is the project's.
const ROOT = import.meta.dirname ? resolve(import.meta.dirname, "../..") : process.cwd();
export const MIGRATIONS_DIR = join(ROOT, "prisma/migrations");

/** Taken by every version of this service that migrates, then the lock that `prisma migrate` takes. */
const LOCKS = [7_203_114_098, 72_707_369];

/** The table that `prisma migrate` keeps, as it creates it. */
const CREATE_HISTORY = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** What the history records about a migration that was not rolled back. */
type Entry = { name: string; checksum: string; startedAt: Date; finished: boolean };

type Database = { query<Row extends pg.QueryResultRow>(text: string): Promise<{ rows: Row[] }> };

/**
 * Applies the SQL files in `prisma/migrations` that the database does not have yet, oldest first, and records them in Prisma's
 * table `_prisma_migrations`, so that `prisma migrate` sees its own history. Each migration and its entry are one transaction.
 * Several processes may migrate at once: the first one does the work. Entries without a file are ignored, because an older
 * version of the service may run on a newer database.
 * @param ownerUrl for the role that owns the tables, or will own them
 * @param only applies no others of the folder's migrations
 * @throws Error naming the migration: its file changed after it was applied, an earlier attempt did not finish, or PostgreSQL
 *   refused it. Migrations before it stay applied; the one that failed has changed nothing.
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
  dir: string = MIGRATIONS_DIR,
  only?: readonly string[],
): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "guildhall migrate" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    for (const lock of LOCKS) await client.query("SELECT pg_advisory_lock($1)", [lock]);
    const history = await readHistory(client);
    checkHistory(history ?? [], dir);
    if (!history) await refuseForeignTables(client);
    const applied = namesToApply(history ?? [], dir).filter((name) => only?.includes(name) ?? true);
    for (const name of applied) {
      await applyPatiently(client, name, readScript(dir, name), log);
      log(`Applied ${name}`);
    }
    return { applied };
  } finally {
    // Ends the session, which releases its locks.
    await client.end();
  }
}

/** Whoever waits for a lock on a table holds up all who come later, so a migration waits only this long, and then lets them pass. */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 2_000;
/** A backup or a long transaction may hold a table for minutes. */
const PATIENCE_MS = 10 * 60_000;

/** Tries again while another transaction holds a table that the migration needs. */
async function applyPatiently(
  client: pg.Client,
  name: string,
  script: string,
  log: (line: string) => void,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyOne(client, name, script);
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || performance.now() > deadline) throw error;
      if (attempt === 1) log(`${name} waits for a table that another transaction uses`);
      await delay(PAUSE_MS);
    }
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

async function applyOne(client: pg.Client, name: string, script: string): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(CREATE_HISTORY);
    const id = randomUUID();
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())",
      [id, checksumOf(script), name],
    );
    // Without values, so that PostgreSQL takes the whole script at once, with semicolons inside functions and comments.
    await client.query(script);
    await client.query(
      "UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1",
      [id],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw new Error(`The migration ${name} failed${lineOf(error, script)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function lineOf(error: unknown, script: string): string {
  const position = Number((error as { position?: string }).position);
  return position > 0 ? ` at line ${script.slice(0, position).split("\n").length}` : "";
}

/** @throws Error if an applied file was changed, or an attempt did not finish */
function checkHistory(history: Entry[], dir: string): void {
  const known = new Set(migrationNames(dir));
  for (const { name, checksum, startedAt, finished } of history) {
    if (!finished) {
      throw new Error(
        `The migration ${name} was started at ${startedAt.toISOString()} and did not finish; no other migration is applied until this is resolved. Compare the database with ${join(dir, name, "migration.sql")}. If all of it is there, run "npx prisma migrate resolve --applied ${name}"; if none of it is, run "npx prisma migrate resolve --rolled-back ${name}". Then start again.`,
      );
    }
    if (known.has(name) && !hasChecksum(readScript(dir, name), checksum)) {
      throw new Error(
        `The file of the migration ${name} was changed after it was applied to this database. Restore ${join(dir, name, "migration.sql")} (its SHA-256 was ${checksum}), and put the change into a new migration.`,
      );
    }
  }
}

/** As Prisma does, so that a checkout with the other kind of line ends is no change. */
function hasChecksum(script: string, checksum: string): boolean {
  const unix = script.replaceAll("\r\n", "\n");
  return [script, unix, unix.replaceAll("\n", "\r\n")].some((form) => checksumOf(form) === checksum);
}

function checksumOf(script: string): string {
  return createHash("sha256").update(script).digest("hex");
}

function readScript(dir: string, name: string): string {
  return readFileSync(/* turbopackIgnore: true */ join(dir, name, "migration.sql"), "utf8");
}

/** @throws Error if there is no migration history, but there are tables: the database belongs to something else */
async function refuseForeignTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype = 'e')
     ORDER BY 1 LIMIT 3`,
  );
  if (rows.length > 0) {
    throw new Error(
      `The database has tables (${rows.map(({ name }) => name).join(", ")}), but no migration history. Use an empty database.`,
    );
  }
}

/** The folders of `prisma/migrations`, oldest first. */
export function migrationNames(dir: string = MIGRATIONS_DIR): string[] {
  return readdirSync(/* turbopackIgnore: true */ dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The checksum that a migration's file has now; undefined if there is no such file. */
export function checksumOfFile(name: string): string | undefined {
  return migrationNames().includes(name) ? checksumOf(readScript(MIGRATIONS_DIR, name)) : undefined;
}

/** The migrations that the database does not have yet, oldest first. */
export async function pendingMigrations(database: Database, dir: string = MIGRATIONS_DIR): Promise<string[]> {
  return namesToApply((await readHistory(database)) ?? [], dir);
}

function namesToApply(history: Entry[], dir: string): string[] {
  const done = new Set(history.filter(({ finished }) => finished).map(({ name }) => name));
  return migrationNames(dir).filter((name) => !done.has(name));
}

/** Undefined if the database has no history. */
async function readHistory(database: Database): Promise<Entry[] | undefined> {
  const { rows } = await database.query<{ exists: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists",
  );
  if (!rows[0]?.exists) return undefined;
  const history = await database.query<Entry>(
    `SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return history.rows;
}
