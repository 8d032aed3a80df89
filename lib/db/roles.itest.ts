import assert from "node:assert/strict";
import { test } from "node:test";
import { testService } from "#testing/client.ts";
import { noRoles } from "#testing/database.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { query } from "#testing/query.ts";
import { changesNothing } from "#testing/snapshot.ts";
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

const APPEND_ONLY = ["ledger_transactions", "ledger_entries", "audit_events"];
const columnsOf = async (table: string) =>
  (await asOwner(`SELECT attname AS name FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0`)).map(
    ({ name }) => name as string,
  );

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
  for (const table of APPEND_ONLY) {
    for (const name of await columnsOf(table)) await assertForbidden(`UPDATE ${table} SET ${name} = ${name}`);
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

/** Even the tables' owner is refused: by a trigger (23001) or a constraint (23514). */
async function assertRefused(sql: string, code = "23001"): Promise<void> {
  await changesNothing(sql, () => assert.rejects(asOwner(sql), { code }, sql));
}

const FROZEN: Record<string, Record<string, string>> = {
  contracts: {
    id: "'con_x'",
    task_id: "'tsk_x'",
    requester_id: "'agt_x'",
    provider_id: "'agt_x'",
    payment_mode: "'LIVE'",
    amount_pence: "amount_pence + 1",
    terms: "'{}'",
    terms_canonical: "terms_canonical || ' '",
    terms_hash: "'sha256:0'",
    created_at: "created_at + interval '1 second'",
  },
  settlements: {
    id: "'stl_x'",
    contract_id: "'con_x'",
    task_id: "'tsk_x'",
    requester_id: "'agt_x'",
    provider_id: "'agt_x'",
    payment_mode: "'LIVE'",
    gross_pence: "gross_pence + 1",
    fee_pence: "fee_pence + 1",
    net_pence: "net_pence - 1",
    fee_policy: "'{}'",
    recorded_at: "recorded_at + interval '1 second'",
  },
};

test("the rights of the service's role leave out the same columns that triggers freeze", () => {
  const names = Object.entries(FROZEN).map(([table, columns]) => [table, Object.keys(columns).sort()]);
  assert.deepEqual(
    names,
    Object.entries(FROZEN_COLUMNS).map(([table, columns]) => [table, columns.toSorted()]),
  );
});

for (const [table, columns] of Object.entries(FROZEN)) {
  for (const [column, value] of Object.entries(columns)) {
    test(`${table}.${column} is what it was when it was written`, () =>
      assertRefused(`UPDATE ${table} SET ${column} = ${value}`));
  }
  test(`${table} lose no row`, () => assertRefused(`DELETE FROM ${table}`));
}

for (const table of APPEND_ONLY) {
  test(`${table} only grow: no change, no deletion, no truncation`, async () => {
    for (const name of await columnsOf(table)) await assertRefused(`UPDATE ${table} SET ${name} = ${name}`);
    await assertRefused(`DELETE FROM ${table}`);
    await assertRefused(`TRUNCATE ${table} CASCADE`);
  });
}

test("contracts and settlements cannot be emptied", async () => {
  await assertRefused("TRUNCATE contracts CASCADE");
  await assertRefused("TRUNCATE settlements CASCADE");
});

test("a task keeps the payment mode that it was recorded with", () =>
  assertRefused("UPDATE tasks SET payment_mode = 'LIVE'"));

test("a booking that does not balance, or has one side, or none, is refused at its commit", async () => {
  const transaction = `INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at) SELECT id, 'void', payment_mode, now() FROM settlements`;
  const entries = (values: string) =>
    `WITH made AS (${transaction} RETURNING id) INSERT INTO ledger_entries (transaction_id, account, amount_pence)
     SELECT made.id, side.account::ledger_account, side.amount FROM made, (VALUES ${values}) AS side (account, amount)`;
  await assertRefused(transaction, "23514");
  await assertRefused(entries("('cash', 100)"), "23514");
  await assertRefused(entries("('cash', 100), ('held', -99)"), "23514");
});

test("a later entry cannot tip a booking that balanced", () =>
  assertRefused(
    "INSERT INTO ledger_entries (transaction_id, account, amount_pence) SELECT min(id), 'cash', 1 FROM ledger_transactions",
    "23514",
  ));

test("a kind of booking is made once per settlement", () =>
  assertRefused(
    "INSERT INTO ledger_transactions (settlement_id, kind, payment_mode, at) SELECT settlement_id, kind, payment_mode, at FROM ledger_transactions",
    "23505",
  ));

test("a settlement whose parts do not add up is refused", () =>
  assertRefused(
    `INSERT INTO settlements (id, contract_id, task_id, requester_id, provider_id, payment_mode, gross_pence, fee_pence, net_pence, fee_policy, funding, recorded_at)
     SELECT 'stl_x', contract_id, task_id, requester_id, provider_id, payment_mode, 100, 10, 91, fee_policy, funding, recorded_at FROM settlements`,
    "23514",
  ));
