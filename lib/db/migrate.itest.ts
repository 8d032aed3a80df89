import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { testDatabase } from "#testing/database.ts";
import { diffSchema, NO_FILTERS, readSchema, SCHEMA_DIR, withSchemaEngine } from "./diff.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { MIGRATIONS_DIR, migrationNames, readMigration } from "./migration-file.ts";

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** A folder of migrations like `prisma/migrations`. */
function migrations(scripts: Record<string, string>): string {
  const dir = mkdtempSync(join(tmpdir(), "guildhall-migrations-"));
  folders.push(dir);
  writeFileSync(join(dir, "migration_lock.toml"), 'provider = "postgresql"\n');
  for (const [name, sql] of Object.entries(scripts)) write(dir, name, sql);
  return dir;
}

function write(dir: string, name: string, sql: string): void {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, "migration.sql"), sql);
}

async function onEmptyDatabase(work: (url: string, pool: pg.Pool) => Promise<void>): Promise<void> {
  const database = await testDatabase({ empty: true });
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  pool.on("error", () => undefined);
  try {
    await work(database.ownerUrl, pool);
  } finally {
    await pool.end();
    await database.drop();
  }
}

async function tables(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  return rows.map((row) => row.name);
}

test("if several processes migrate an empty database at once, each migration is applied once and recorded in Prisma's form", async () => {
  await onEmptyDatabase(async (url, pool) => {
    assert.deepEqual(await pendingMigrations(pool), migrationNames());
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    assert.deepEqual(
      results.flatMap(({ applied }) => applied),
      migrationNames(),
    );
    assert.deepEqual(await pendingMigrations(pool), []);
    assert.deepEqual((await migrate(url)).applied, []);
    const { rows } = await pool.query(
      "SELECT migration_name, checksum, applied_steps_count FROM _prisma_migrations ORDER BY 1",
    );
    const expected = migrationNames().map((name) => ({
      migration_name: name,
      checksum: createHash("sha256").update(textOf(name)).digest("hex"),
      applied_steps_count: readMigration(name, MIGRATIONS_DIR).steps.length,
    }));
    assert.deepEqual(rows, expected);
    await assertComplete(url);
    assert.equal((await diffSchema(url)).trim(), NO_DIFFERENCE);
    const schema = migrations({});
    cpSync(SCHEMA_DIR, schema, { recursive: true });
    writeFileSync(join(schema, "added.prisma"), "model Added {\n  id Int @id\n}\n");
    assert.match(await diffSchema(url, schema), /CREATE TABLE "Added"/);
  });
});

const NO_DIFFERENCE = "-- This is an empty migration.";

const textOf = (name: string) => readFileSync(join(MIGRATIONS_DIR, name, "migration.sql"), "utf8");

/** Prisma's own engine finds the history complete and unchanged. */
async function assertComplete(url: string): Promise<void> {
  const found = await withSchemaEngine(url, readSchema(SCHEMA_DIR), (engine) =>
    engine.diagnoseMigrationHistory({
      migrationsList: {
        baseDir: MIGRATIONS_DIR,
        lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"' },
        shadowDbInitScript: "",
        migrationDirectories: migrationNames().map((name) => ({
          path: name,
          migrationFile: { path: "migration.sql", content: { tag: "ok", value: textOf(name) } },
        })),
      },
      optInToShadowDatabase: false,
      filters: NO_FILTERS,
    }),
  );
  assert.equal(found.hasMigrationsTable, true);
  assert.deepEqual([found.editedMigrationNames, found.failedMigrationNames, found.history], [[], [], null]);
}

test("semicolons inside functions, strings and comments do not split a migration", async () => {
  const sql = `
    -- First; a comment.
    CREATE FUNCTION answer() RETURNS text LANGUAGE plpgsql AS $$ BEGIN; RETURN 'a;b'; END $$;
    CREATE TABLE words (word text DEFAULT ';');`.replace("BEGIN;", "BEGIN PERFORM 1;");
  await onEmptyDatabase(async (url, pool) => {
    await migrate(url, undefined, migrations({ "1_function": sql }));
    assert.deepEqual((await pool.query("SELECT answer()")).rows, [{ answer: "a;b" }]);
  });
});

test("a failed migration changes nothing, the error names the line, and the corrected file can be applied", async () => {
  const dir = migrations({
    "1_good": "CREATE TABLE good ();",
    "2_bad": "CREATE TABLE half ();\nSELECT no_such_function();",
  });
  await onEmptyDatabase(async (url, pool) => {
    await assert.rejects(
      migrate(url, undefined, dir),
      /^Error: The migration 2_bad failed at line 2: .*no_such_function/,
    );
    assert.deepEqual(await tables(pool), ["_prisma_migrations", "good"]);
    assert.deepEqual(await pendingMigrations(pool, dir), ["2_bad"]);
    write(dir, "2_bad", "CREATE TABLE whole ();");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["2_bad"]);
    assert.deepEqual(await tables(pool), ["_prisma_migrations", "good", "whole"]);
  });
});

test("a migration whose connection broke has changed nothing, and can be applied again", async () => {
  const dir = migrations({ "1_slow": "CREATE TABLE half (); SELECT pg_sleep(60);" });
  await onEmptyDatabase(async (url, pool) => {
    const migrating = migrate(url, undefined, dir).catch((error: unknown) => error);
    const cut =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
    while ((await pool.query(cut)).rowCount === 0) await new Promise((done) => setTimeout(done, 20));
    assert.match(String(await migrating), /The migration 1_slow failed/);
    assert.deepEqual(await tables(pool), []);
    write(dir, "1_slow", "CREATE TABLE whole ();");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["1_slow"]);
  });
});

test("a file that was changed after it was applied is refused before anything else is applied", async () => {
  const dir = migrations({ "1_first": "CREATE TABLE first ();\n" });
  await onEmptyDatabase(async (url, pool) => {
    await migrate(url, undefined, dir);
    write(dir, "1_first", "CREATE TABLE other ();\n");
    write(dir, "2_second", "CREATE TABLE second ();\n");
    await assert.rejects(
      migrate(url, undefined, dir),
      /^Error: The file of the migration 1_first was changed after it was applied to this database\. Restore .*migration\.sql/,
    );
    assert.deepEqual(await tables(pool), ["_prisma_migrations", "first"]);
    // Line ends are no change: a checkout on Windows may have others.
    write(dir, "1_first", "CREATE TABLE first ();\r\n");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["2_second"]);
  });
});

test("an unfinished migration in the history is explained, and is applied again once it is marked as rolled back", async () => {
  const dir = migrations({ "1_first": "CREATE TABLE first ();" });
  await onEmptyDatabase(async (url, pool) => {
    await migrate(url, undefined, dir);
    write(dir, "2_second", "CREATE TABLE second ();");
    await pool.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('x', 'y', '2_second', 'it failed')",
    );
    assert.deepEqual(await pendingMigrations(pool, dir), ["2_second"]);
    await assert.rejects(
      migrate(url, undefined, dir),
      /^Error: The migration 2_second was started at .* and did not finish.*--rolled-back 2_second/,
    );
    await pool.query("UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_second'");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["2_second"]);
  });
});

test("a database with tables but no history is left alone", async () => {
  await onEmptyDatabase(async (url, pool) => {
    await pool.query("CREATE TABLE customers ()");
    await assert.rejects(migrate(url), /^Error: The database has tables \(customers\), but no migration history\./);
    assert.deepEqual(await tables(pool), ["customers"]);
  });
});

test("an entry whose file a newer version of the service brought is ignored", async () => {
  const dir = migrations({ "1_first": "CREATE TABLE first ();", "2_newer": "CREATE TABLE newer ();" });
  await onEmptyDatabase(async (url) => {
    await migrate(url, undefined, dir);
    rmSync(join(dir, "2_newer"), { recursive: true });
    assert.deepEqual((await migrate(url, undefined, dir)).applied, []);
  });
});

test("a migration that finds a table in use lets others pass, and is applied when the table is free", async () => {
  const dir = migrations({ "1_make": "CREATE TABLE things (id int)" });
  await onEmptyDatabase(async (url, pool) => {
    await migrate(url, undefined, dir);
    write(dir, "2_add", "ALTER TABLE things ADD COLUMN name text");
    const user = await pool.connect();
    await user.query("BEGIN");
    await user.query("SELECT FROM things");
    const said: string[] = [];
    const migrating = migrate(url, (line) => said.push(line), dir);
    while (said.length === 0) await pool.query("SELECT FROM things");
    assert.match(said[0] ?? "", /^2_add waits for a table/);
    await user.query("COMMIT");
    user.release();
    assert.deepEqual(await migrating, { applied: ["2_add"] });
  });
});

const IN_STEPS = `-- What it is for.
-- Step: a table
CREATE TABLE things AS SELECT n, 0 AS times FROM generate_series(1, 5000) n;
-- Step, in batches: rows
WITH batch AS (SELECT n FROM things WHERE n > coalesce(nullif(current_setting('migration.reached', true), '')::integer, 0)
  ORDER BY n LIMIT nullif(current_setting('migration.batch', true), '')::integer),
done AS (UPDATE things SET times = times + 1 / CASE WHEN things.n = 4500 AND to_regclass('corrected') IS NULL THEN 0 ELSE 1 END
  FROM batch WHERE batch.n = things.n)
SELECT max(n) AS reached FROM batch;
-- Step: the end
CREATE TABLE ended ();`;

test("a migration in steps goes on where it was interrupted, and treats each row of a batch once", async () => {
  const dir = migrations({ "1_steps": IN_STEPS, "2_next": "CREATE TABLE next ();" });
  await onEmptyDatabase(async (url, pool) => {
    await assert.rejects(migrate(url, undefined, dir), /^Error: The migration 1_steps failed.*division by zero/);
    assert.deepEqual((await pool.query("SELECT sum(times)::int AS done FROM things")).rows, [{ done: 4000 }]);
    assert.deepEqual(await pendingMigrations(pool, dir), ["1_steps", "2_next"]);
    await pool.query("CREATE TABLE corrected ()");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["1_steps", "2_next"]);
    assert.deepEqual((await pool.query("SELECT DISTINCT times FROM things")).rows, [{ times: 1 }]);
    const { rows } = await pool.query("SELECT applied_steps_count, logs FROM _prisma_migrations ORDER BY 1 DESC");
    assert.deepEqual(rows[0], { applied_steps_count: 3, logs: null });
  });
});

test("a migration whose file was changed while it was interrupted is not continued", async () => {
  const dir = migrations({ "1_steps": IN_STEPS });
  await onEmptyDatabase(async (url) => {
    await assert.rejects(migrate(url, undefined, dir));
    write(dir, "1_steps", IN_STEPS.replace("corrected", "other"));
    await assert.rejects(
      migrate(url, undefined, dir),
      /^Error: The migration 1_steps was started at .* did not finish/,
    );
  });
});

test("a database that ran a text which the file names as its former one goes on", async () => {
  const former = "CREATE TABLE things (n int);\n";
  const dir = migrations({ "1_things": former });
  await onEmptyDatabase(async (url) => {
    await migrate(url, undefined, dir);
    const digest = createHash("sha256").update(former).digest("hex");
    write(dir, "1_things", `-- Formerly: ${digest}\n-- Step: a table\nCREATE TABLE things (n int);\n`);
    write(dir, "2_next", "CREATE TABLE next ();");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["2_next"]);
  });
});

test("files in steps, applied as a whole by other means, create the same database", async () => {
  await onEmptyDatabase(async (url, pool) => {
    for (const name of migrationNames()) await pool.query(textOf(name));
    assert.equal((await diffSchema(url)).trim(), NO_DIFFERENCE);
    const { rows } = await pool.query("SELECT last_position::int FROM event_feed");
    assert.deepEqual(rows, [{ last_position: 0 }]);
  });
});
