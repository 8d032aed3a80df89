import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";

// Inside Next's bundles a module has no folder of its own, and the working folder is the project's.
const ROOT = import.meta.dirname ? resolve(import.meta.dirname, "../..") : process.cwd();
export const MIGRATIONS_DIR = join(ROOT, "prisma/migrations");

/** Any number will do as long as every process that migrates takes the same one. */
const LOCK = 7_203_114_098;

/**
 * Applies the migrations that the database has not had, with Prisma's own engine, so that `prisma migrate deploy`
 * sees the same history. Each is one transaction with its entry in the history: killed at any moment, it has happened
 * or it has not. Several processes may migrate at once: the first does the work, the others find it done.
 * @param ownerUrl for the role that owns the tables, or will own them
 * @throws Error that names the migration and what PostgreSQL said of it; the database is as it was before that one
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
  dir: string = MIGRATIONS_DIR,
): Promise<{ applied: string[] }> {
  // One connection that is never given up: the lock and the transactions are its own.
  const session = new pg.Pool({
    connectionString: ownerUrl,
    max: 1,
    idleTimeoutMillis: 0,
    application_name: "guildhall migrate",
  });
  session.on("error", () => undefined);
  try {
    await session.query("SELECT pg_advisory_lock($1)", [LOCK]);
    const applied: string[] = [];
    for (const name of await pendingMigrations(session, dir)) {
      await applyOne(session, name, dir);
      applied.push(name);
      log(`Applied ${name}`);
    }
    return { applied };
  } finally {
    // Ends the session, and the lock with it.
    await session.end();
  }
}

async function applyOne(session: pg.Pool, name: string, dir: string): Promise<void> {
  // Loaded here, because most who ask after pending migrations never apply one; Next, which bundles them, never does.
  const { engineAdapter } = await import(/* turbopackIgnore: true */ "./engine-adapter.ts");
  const { NO_FILTERS, openSchemaEngine, readSchema } = await import(/* turbopackIgnore: true */ "./schema-engine.ts");
  let cause: unknown;
  const adapter = engineAdapter(session, (error) => {
    cause = error;
  });
  await session.query("BEGIN");
  const engine = await openSchemaEngine(adapter, readSchema());
  try {
    await engine.applyMigrations({ migrationsList: listMigrations(dir, name), filters: NO_FILTERS });
    await session.query("COMMIT");
  } catch (error) {
    await session.query("ROLLBACK").catch(() => undefined);
    // The engine's own error then tells only that it could not note the failure in the transaction that failed.
    const reason = cause ?? error;
    throw new Error(`The migration ${name} failed: ${reason instanceof Error ? reason.message : String(reason)}`, {
      cause: reason,
    });
  } finally {
    engine.free();
  }
}

/** The migrations up to and including `last`, as the engine wants them. */
function listMigrations(dir: string, last: string) {
  const lockfile = join(dir, "migration_lock.toml");
  return {
    baseDir: dir,
    lockfile: { path: "migration_lock.toml", content: existsSync(lockfile) ? readFileSync(lockfile, "utf8") : null },
    shadowDbInitScript: "",
    migrationDirectories: migrationNames(dir)
      .filter((name) => name <= last)
      .map((name) => ({
        path: name,
        migrationFile: {
          path: "migration.sql",
          content: { tag: "ok" as const, value: readFileSync(join(dir, name, "migration.sql"), "utf8") },
        },
      })),
  };
}

/** The folders of `prisma/migrations`, oldest first. */
export function migrationNames(dir: string = MIGRATIONS_DIR): string[] {
  return readdirSync(/* turbopackIgnore: true */ dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

type Database = { query(text: string): Promise<{ rows: unknown[] }> };

/** The migrations that the database has not had, oldest first; all of them for an empty database. */
export async function pendingMigrations(database: Database, dir: string = MIGRATIONS_DIR): Promise<string[]> {
  const done = new Set(await appliedNames(database));
  return migrationNames(dir).filter((name) => !done.has(name));
}

async function appliedNames(database: Database): Promise<string[]> {
  // Asked first, because a pool drops the connection, and with it the lock of `migrate`, when a query fails.
  const history = await database.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS there");
  if (!(history.rows as { there: boolean }[])[0]?.there) return [];
  const { rows } = await database.query(
    "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL",
  );
  return (rows as { migration_name: string }[]).map((row) => row.migration_name);
}
