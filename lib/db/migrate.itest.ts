import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { testDatabase } from "#lib/testing/database.ts";
import { MIGRATIONS_DIR, migrate, migrationNames, pendingMigrations } from "./migrate.ts";

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

test("an empty database gets every migration, once, in Prisma's own history", async () => {
  await onEmptyDatabase(async (url, pool) => {
    assert.deepEqual(await pendingMigrations(pool), migrationNames());
    assert.deepEqual((await migrate(url)).applied, migrationNames());
    assert.deepEqual(await pendingMigrations(pool), []);
    assert.deepEqual((await migrate(url)).applied, []);
    const { rows } = await pool.query(
      "SELECT migration_name, checksum, applied_steps_count FROM _prisma_migrations ORDER BY 1",
    );
    const expected = migrationNames().map((name) => ({
      migration_name: name,
      checksum: createHash("sha256")
        .update(readFileSync(join(MIGRATIONS_DIR, name, "migration.sql")))
        .digest("hex"),
      applied_steps_count: 1,
    }));
    assert.deepEqual(rows, expected);
  });
});

test("of several processes that migrate at once exactly one applies each migration", async () => {
  await onEmptyDatabase(async (url) => {
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    assert.deepEqual(
      results.flatMap((result) => result.applied),
      migrationNames(),
    );
  });
});

test("semicolons inside functions, texts and comments do not cut a migration apart", async () => {
  const sql = `
    -- First; a comment.
    CREATE FUNCTION answer() RETURNS text LANGUAGE plpgsql AS $$ BEGIN; RETURN 'a;b'; END $$;
    CREATE TABLE words (word text DEFAULT ';');`.replace("BEGIN;", "BEGIN PERFORM 1;");
  await onEmptyDatabase(async (url, pool) => {
    await migrate(url, undefined, migrations({ "1_function": sql }));
    assert.deepEqual((await pool.query("SELECT answer()")).rows, [{ answer: "a;b" }]);
  });
});

test("a migration that fails leaves nothing behind, names the reason, and applies when it is mended", async () => {
  const dir = migrations({
    "1_good": "CREATE TABLE good ();",
    "2_bad": "CREATE TABLE half (); SELECT no_such_function();",
  });
  await onEmptyDatabase(async (url, pool) => {
    await assert.rejects(migrate(url, undefined, dir), /^Error: The migration 2_bad failed: .*no_such_function/);
    assert.deepEqual(await tables(pool), ["_prisma_migrations", "good"]);
    assert.deepEqual(await pendingMigrations(pool, dir), ["2_bad"]);
    write(dir, "2_bad", "CREATE TABLE whole ();");
    assert.deepEqual((await migrate(url, undefined, dir)).applied, ["2_bad"]);
    assert.deepEqual(await tables(pool), ["_prisma_migrations", "good", "whole"]);
  });
});

test("a migration cut off halfway has not happened, and is applied by the next start", async () => {
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
