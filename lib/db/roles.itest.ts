import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { noRoles } from "#testing/database.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { changesNothing } from "#testing/snapshot.ts";
import { query } from "#testing/with-client.ts";
import { taskAt } from "#testing/workflow.ts";
import { pool } from "./client.ts";
import { FROZEN_COLUMNS, grantToService, readRole } from "./roles.ts";

const skip = await noRoles();
let role = "";
let owner = "";
const service = testService({}, async () => {
  role = (await readRole(service.url)).name;
  owner = (await readRole(service.ownerUrl)).name;
  await taskAt("completed", { requester: await registerAgent(), provider: await verifiedAgent() });
});

const FORBIDDEN = "42501";

async function assertForbidden(sql: string): Promise<void> {
  await changesNothing(sql, () => assert.rejects(pool().query(sql), { code: FORBIDDEN }, sql));
}

const asOwner = (sql: string) => query(service.ownerUrl, sql);

const ATTEMPTS: Record<string, () => string[]> = {
  "switch triggers off, drop or replace them": () => [
    "ALTER TABLE audit_events DISABLE TRIGGER ALL",
    "ALTER TABLE audit_events DISABLE TRIGGER audit_events_append_only",
    "DROP TRIGGER audit_events_append_only ON audit_events",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
    "DROP FUNCTION refuse_change() CASCADE",
    "ALTER FUNCTION refuse_change() RENAME TO other",
    "CREATE TRIGGER other BEFORE INSERT ON tasks EXECUTE FUNCTION refuse_change()",
    "SET session_replication_role = replica",
    `ALTER ROLE ${role} SET session_replication_role = replica`,
  ],
  "make, change, empty or drop tables": () => [
    "CREATE TABLE other ()",
    "CREATE TEMP TABLE other ()",
    "CREATE UNLOGGED TABLE graphile_worker.other ()",
    "CREATE VIEW other AS SELECT 1",
    "CREATE SCHEMA other",
    "CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE FUNCTION pg_temp.other() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE INDEX other ON tasks (id)",
    "ALTER TABLE tasks ADD COLUMN other int",
    "ALTER TABLE settlements DROP CONSTRAINT settlements_sum",
    "ALTER TABLE graphile_worker._private_jobs DISABLE ROW LEVEL SECURITY",
    "TRUNCATE ledger_entries",
    "TRUNCATE tasks CASCADE",
    "DROP TABLE posts",
    "SELECT setval('posts_seq', 1)",
    "UPDATE _prisma_migrations SET finished_at = now()",
    "DELETE FROM _prisma_migrations",
    "DELETE FROM graphile_worker.migrations",
  ],
  "become another role, or give itself rights": () => [
    `SET ROLE ${owner}`,
    `SET SESSION AUTHORIZATION ${owner}`,
    `GRANT ${owner} TO ${role}`,
    "ALTER DEFAULT PRIVILEGES FOR ROLE postgres GRANT ALL ON TABLES TO PUBLIC",
    `ALTER ROLE ${role} CREATEDB`,
    `ALTER ROLE ${role} BYPASSRLS`,
    "CREATE ROLE other",
    "CREATE DATABASE other",
    "CREATE EXTENSION file_fdw",
    "ALTER SYSTEM SET fsync = off",
  ],
  "read passwords or files, or run programs": () => [
    "SELECT rolpassword FROM pg_authid",
    "COPY tasks TO PROGRAM 'cat'",
    "COPY tasks FROM '/etc/passwd'",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('.')",
    "SELECT lo_import('/etc/passwd')",
  ],
};

for (const [what, attempts] of Object.entries(ATTEMPTS)) {
  test(`the service's role cannot ${what}`, { skip }, async () => {
    for (const sql of attempts()) await assertForbidden(sql);
  });
}

test("the service's role cannot change or delete rows of append-only tables, nor grant itself the right", {
  skip,
}, async () => {
  // PostgreSQL answers this with a warning.
  await pool().query(`GRANT ALL ON ledger_transactions, ledger_entries, audit_events TO ${role}`);
  for (const table of ["ledger_transactions", "ledger_entries", "audit_events"]) {
    const columns = await asOwner(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0`,
    );
    for (const { name } of columns as { name: string }[])
      await assertForbidden(`UPDATE ${table} SET ${name} = ${name}`);
    await assertForbidden(`DELETE FROM ${table}`);
  }
});

test("the service's role cannot change agreed terms or recorded figures, nor delete an agreement or a settlement", {
  skip,
}, async () => {
  for (const [table, columns] of Object.entries(FROZEN_COLUMNS)) {
    for (const column of columns) await assertForbidden(`UPDATE ${table} SET ${column} = ${column}`);
    await assertForbidden(`DELETE FROM ${table}`);
  }
});

test("the service's role cannot connect to any database but its own", { skip }, async () => {
  for (const name of ["postgres", "template1"]) {
    const other = Object.assign(new URL(service.url), { pathname: `/${name}` });
    await assert.rejects(query(other.href, "SELECT 1"), { code: FORBIDDEN }, name);
  }
});

/** What tells whether a catalogue row has been written: the same text means that nothing was. */
const CATALOGUE = `SELECT md5(string_agg(oid || ':' || xmin, ',' ORDER BY oid)) AS digest FROM
  (SELECT oid, xmin FROM pg_class UNION ALL SELECT oid, xmin FROM pg_policy UNION ALL SELECT oid, xmin FROM pg_namespace
   UNION ALL SELECT attrelid, max(xmin::text)::xid FROM pg_attribute GROUP BY 1) r`;

test("granting the same rights again changes nothing, even concurrently", { skip }, async () => {
  const before = await asOwner(CATALOGUE);
  await Promise.all(Array.from({ length: 4 }, () => grantToService(service.ownerUrl, role)));
  assert.deepEqual(await asOwner(CATALOGUE), before);
});

test("what a migration adds is covered by the next granting, and what only grows is recognised by its trigger", {
  skip,
}, async () => {
  await asOwner(`
    CREATE TABLE added (id serial PRIMARY KEY, note text);
    CREATE TABLE "Added only" (id serial PRIMARY KEY, note text);
    CREATE TRIGGER added_only BEFORE UPDATE OR DELETE ON "Added only" FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TABLE hidden (id int);
    ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
    CREATE VIEW added_view AS SELECT * FROM added;
    CREATE FUNCTION added_function() RETURNS int LANGUAGE sql AS 'SELECT 7';
    REVOKE EXECUTE ON FUNCTION added_function() FROM PUBLIC;`);
  await assertForbidden("SELECT * FROM added");
  await grantToService(service.ownerUrl, role);
  await pool().query("INSERT INTO added (note) VALUES ('one'), ('two')");
  await pool().query("UPDATE added SET note = 'other' WHERE id = 1");
  await pool().query("DELETE FROM added WHERE id = 2");
  await pool().query("INSERT INTO hidden VALUES (1)");
  assert.deepEqual((await pool().query("SELECT added_function() AS seven, * FROM added_view, hidden h")).rows, [
    { seven: 7, id: 1, note: "other" },
  ]);
  await assertForbidden("DELETE FROM added_view");
  await pool().query(`INSERT INTO "Added only" (note) VALUES ('one')`);
  await assertForbidden(`UPDATE "Added only" SET note = 'other'`);
  await assertForbidden(`DELETE FROM "Added only"`);
});

test("a right that the service's role should not have is taken away by the next granting", { skip }, async () => {
  await asOwner(`GRANT ALL ON audit_events, settlements, tasks TO ${role}; GRANT ALL ON SEQUENCE posts_seq TO ${role};
    GRANT UPDATE (note), REFERENCES (note) ON added TO ${role}`);
  await grantToService(service.ownerUrl, role);
  await assertForbidden("UPDATE audit_events SET reason = 'other'");
  await assertForbidden("UPDATE settlements SET gross_pence = gross_pence");
  await assertForbidden("TRUNCATE tasks CASCADE");
  await assertForbidden("SELECT setval('posts_seq', 1)");
  const excess = await asOwner(
    `SELECT c.relname, p.name FROM pg_class c, unnest(ARRAY['TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) AS p(name)
     WHERE c.relkind = 'r' AND c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
       AND has_table_privilege('${role}', c.oid, p.name)`,
  );
  assert.deepEqual(excess, []);
});

test("tables that belong to another role than the owner's are named, and nothing is granted", { skip }, async () => {
  await assert.rejects(grantToService(service.url, role), /does not own .*activities.* docs\/database-roles\.md/);
});

test("what a role can do to tables is known from the role itself", { skip }, async () => {
  assert.deepEqual(await readRole(service.url), { name: role, power: undefined });
  assert.deepEqual(await readRole(service.ownerUrl), { name: owner, power: "owns the tables" });
});
