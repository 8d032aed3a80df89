import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { ADVISORY_LOCKS } from "./advisory-locks.ts";
import { NOT_OF_EXTENSIONS } from "./backup/relations.ts";
import {
  findMigration,
  MIGRATIONS_DIR,
  type MigrationFile,
  migrationNames,
  readMigration,
  type Step,
} from "./migration-file.ts";
import { withClient } from "./with-client.ts";

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
type Entry = {
  id: string;
  name: string;
  checksum: string;
  startedAt: Date;
  finished: boolean;
  /** How many steps are done, and how far the batches of the next one have come. */
  steps: number;
  reached: string | null;
};

type Database = { query<Row extends pg.QueryResultRow>(text: string): Promise<{ rows: Row[] }> };

/**
 * Applies the SQL files in `prisma/migrations` that the database does not have yet, oldest first, and records them in Prisma's
 * table `_prisma_migrations`, so that `prisma migrate` sees its own history. Each migration and its entry are one transaction, unless
 * the file divides itself into steps: then each step is one, and a later call goes on where an earlier one was interrupted.
 * Several processes may migrate at once: the first one does the work. Entries without a file are ignored, because an older
 * version of the service may run on a newer database.
 * @param ownerUrl for the role that owns the tables, or will own them
 * @param only applies no others of the folder's migrations
 * @throws Error naming the migration: its file changed after it was applied, an earlier attempt of Prisma's did not finish, or
 *   PostgreSQL refused it. Migrations and steps before it stay applied; the one that failed has changed nothing.
 */
export async function migrate(
  ownerUrl: string,
  log: (line: string) => void = () => undefined,
  dir: string = MIGRATIONS_DIR,
  only?: readonly string[],
): Promise<{ applied: string[] }> {
  const applyMissing = async (client: pg.Client) => {
    // The end of the session releases its locks.
    for (const lock of [ADVISORY_LOCKS.migrate, ADVISORY_LOCKS.prismaMigrate])
      await client.query(`SELECT pg_advisory_lock(${lock})`);
    const history = await readHistory(client);
    checkHistory(history ?? [], dir);
    if (!history) await refuseForeignTables(client);
    const applied = namesToApply(history ?? [], dir).filter((name) => only?.includes(name) ?? true);
    for (const name of applied) {
      const begun = history?.find((entry) => entry.name === name);
      await apply(client, readMigration(name, dir), begun, log);
      log(`Applied ${name}`);
    }
    return { applied };
  };
  return withClient(ownerUrl, applyMissing, { application_name: "guildhall migrate" });
}

/** A migration that waits for a lock on a table blocks all later queries of it, so it waits only this long, then tries again later. */
const LOCK_TIMEOUT_MS = 1_000;
const PAUSE_MS = 2_000;
/** A backup or a long transaction may hold a table for minutes. */
const PATIENCE_MS = 10 * 60_000;

/** Rows of one batch: few enough that its locks are held for a fraction of a second. */
const BATCH_ROWS = 2_000;
/** Between two batches others have as long as the last one took, up to this. */
const MAX_REST_MS = 1_000;

/** Where a migration stands: the row of the history, the steps done, and how far the batches of the next step have come. */
type Progress = { id: string; steps: number; reached: string | null };

async function apply(
  client: pg.Client,
  file: MigrationFile,
  begun: Progress | undefined,
  log: (line: string) => void,
): Promise<void> {
  const progress = begun ? { ...begun } : { id: randomUUID(), steps: 0, reached: null };
  while (progress.steps < file.steps.length) {
    const began = performance.now();
    await applyPatiently(client, file, progress, log);
    if (progress.reached !== null) await delay(Math.min(performance.now() - began, MAX_REST_MS));
  }
}

/** Tries again while another transaction holds a table that the migration needs. */
async function applyPatiently(
  client: pg.Client,
  file: MigrationFile,
  progress: Progress,
  log: (line: string) => void,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyStep(client, file, progress);
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as { code?: string };
      if (code !== LOCK_NOT_AVAILABLE || performance.now() > deadline) throw error;
      if (attempt === 1) log(`${file.name} waits for a table that another transaction uses`);
      await delay(PAUSE_MS);
    }
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Applies the next step, or the next batch of it, and records that in the same transaction. */
async function applyStep(client: pg.Client, file: MigrationFile, progress: Progress): Promise<void> {
  const step = file.steps[progress.steps];
  if (!step) return;
  try {
    await client.query("BEGIN");
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query(CREATE_HISTORY);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ($1, $2, $3, clock_timestamp())
       ON CONFLICT (id) DO NOTHING`,
      [progress.id, file.checksum, file.name],
    );
    if (step.inBatches) await client.query(IN_BATCHES, [String(BATCH_ROWS), progress.reached ?? ""]);
    // Without values, so that PostgreSQL takes the whole script at once, with semicolons inside functions and comments.
    const answers = [await client.query(step.sql)].flat();
    const reached = step.inBatches ? reachedBy(answers.at(-1)) : null;
    const steps = progress.steps + (reached === null ? 1 : 0);
    await client.query(
      `UPDATE _prisma_migrations SET applied_steps_count = $2, logs = $3,
         finished_at = CASE WHEN $4 THEN clock_timestamp() END WHERE id = $1`,
      [progress.id, steps, reached, steps === file.steps.length],
    );
    await client.query("COMMIT");
    Object.assign(progress, { steps, reached });
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw new Error(`The migration ${file.name} failed${lineOf(error, step)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A tool that applies the whole file sets neither, and the only batch contains all rows. */
const IN_BATCHES = "SELECT set_config('migration.batch', $1, true), set_config('migration.reached', $2, true)";

function reachedBy(answer: pg.QueryResult | undefined): string | null {
  const row = answer?.rows[0];
  if (row?.reached === undefined) throw new Error('a step in batches must end with a query that returns "reached"');
  return row.reached === null ? null : String(row.reached);
}

function lineOf(error: unknown, step: Step): string {
  const position = Number((error as { position?: string }).position);
  return position > 0 ? ` at line ${step.line - 1 + step.sql.slice(0, position).split("\n").length}` : "";
}

/** @throws Error if an applied file was changed, or an attempt did not finish */
function checkHistory(history: Entry[], dir: string): void {
  for (const { name, checksum, startedAt, finished, steps } of history) {
    const file = findMigration(name, dir);
    if (!finished && !(file?.checksum === checksum && steps > 0 && steps < file.steps.length)) {
      throw new Error(
        `The migration ${name} was started at ${startedAt.toISOString()} and did not finish; no other migration is applied until this is resolved. Compare the database with ${join(dir, name, "migration.sql")}. If all of it is there, run "npx prisma migrate resolve --applied ${name}"; if none of it is, run "npx prisma migrate resolve --rolled-back ${name}". Then start again.`,
      );
    }
    if (file && !file.isChecksum(checksum)) {
      throw new Error(
        `The file of the migration ${name} was changed after it was applied to this database. Restore ${join(dir, name, "migration.sql")} (its SHA-256 was ${checksum}), and put the change into a new migration.`,
      );
    }
  }
}

/** @throws Error if there is no migration history, but there are tables: the database belongs to something else */
async function refuseForeignTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
       AND ${NOT_OF_EXTENSIONS}
     ORDER BY 1 LIMIT 3`,
  );
  if (rows.length > 0) {
    throw new Error(
      `The database has tables (${rows.map(({ name }) => name).join(", ")}), but no migration history. Use an empty database.`,
    );
  }
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
    `SELECT id, migration_name AS name, checksum, started_at AS "startedAt", finished_at IS NOT NULL AS finished,
       applied_steps_count AS steps, logs AS reached FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return history.rows;
}
