import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MIGRATIONS_DIR, migrationNames } from "./migrate.ts";

/** Those of the first release were written before there was anything to run beside them. */
const SINCE = "20261123";

/** What breaks the version that runs beside the migration, or holds a table for as long as it takes to read it. */
const RULES: [rule: string, found: RegExp][] = [
  ["drops what the previous version may use: do that in a later release", /\bDROP\s+(?:TABLE|COLUMN)\b/i],
  ["renames what the previous version uses: add the new name, and drop the old one later", /\bRENAME\b/i],
  ["rewrites the table: add a column of the new type instead", /\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i],
  [
    "reads the table to check it: add a CHECK … NOT VALID first, and validate it apart",
    /\bALTER\s+COLUMN\s+\S+\s+SET\s+NOT\s+NULL\b/i,
  ],
  [
    "fails on a table with rows: give the column a DEFAULT",
    /\bADD\s+COLUMN\b(?:(?!,|;|DEFAULT)[\s\S])*\bNOT\s+NULL\b(?:(?!,|;)[\s\S])*?(?<!DEFAULT[^,;]*)(?=,|;|$)/i,
  ],
  ["cannot run in the migration's transaction", /\bCONCURRENTLY\b/i],
  ["takes the lock for longer than lib/db/migrate.ts allows", /\b(?:SET\s+(?:LOCAL\s+)?lock_timeout|LOCK\s+TABLE)\b/i],
];

/** What is run in batches may change many rows, because each batch is a transaction of its own. */
const BATCHES = /^-- Step, in batches: [\s\S]*?(?=^-- Step|(?![\s\S]))/gm;

/** Rules, and constraints and indexes on tables that were there before: each needs a reason in the file. */
function problemsOf(sql: string): string[] {
  const code = sql
    .replace(BATCHES, "")
    .replace(/--.*$/gm, "")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  const made = new Set(
    [...code.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)/gi)].map(([, name]) => name),
  );
  const problems = RULES.filter(([, found]) => found.test(code)).map(([rule]) => rule);
  for (const [, table = ""] of code.matchAll(/\bCREATE\s+(?:UNIQUE\s+)?INDEX\b[^;]*?\bON\s+"?(\w+)/gi))
    if (!made.has(table)) problems.push(`holds writes to ${table} while its index is built`);
  for (const [statement, table = ""] of code.matchAll(/\bALTER\s+TABLE\s+"?(\w+)"?[^;]*?\bADD\s+CONSTRAINT\b[^;]*/gi))
    if (!made.has(table) && !/NOT\s+VALID/i.test(statement) && /FOREIGN\s+KEY|CHECK/i.test(statement))
      problems.push(`reads ${table} under its lock to check a constraint: add it NOT VALID`);
  for (const [, table = ""] of code.matchAll(/(?:^|;)\s*(?:UPDATE|DELETE\s+FROM)\s+"?(\w+)/gi))
    if (!made.has(table))
      problems.push(`changes all rows of ${table} under one lock: do it in a "-- Step, in batches: …"`);
  const [first] = sql.match(/^-- Step.*$/m) ?? [];
  if (first?.startsWith("-- Step, in batches"))
    problems.push("begins with a step in batches, which could not be continued");
  return problems;
}

test("migrations only add, and hold no large table for long; exceptions say why they are safe", () => {
  const found = migrationNames()
    .filter((name) => name >= SINCE)
    .flatMap((name) => {
      const sql = readFileSync(join(MIGRATIONS_DIR, name, "migration.sql"), "utf8");
      return /^-- Safe: \S.{20,}/m.test(sql) ? [] : problemsOf(sql).map((problem) => `${name} ${problem}`);
    });
  assert.deepEqual(found, []);
});

test("the lint knows what is dangerous", () => {
  const dangerous = [
    "ALTER TABLE tasks DROP COLUMN title",
    'ALTER TABLE "tasks" RENAME TO jobs',
    "ALTER TABLE tasks ALTER COLUMN seq TYPE numeric",
    "ALTER TABLE tasks ADD COLUMN x int NOT NULL",
    "CREATE INDEX tasks_by_x ON tasks (x)",
    "ALTER TABLE tasks ADD CONSTRAINT x CHECK (seq > 0)",
    "CREATE INDEX CONCURRENTLY x ON tasks (x)",
    "CREATE TABLE things (id int);\nUPDATE tasks SET title = ''",
    "-- Step, in batches: titles\nSELECT set_titles() AS reached",
  ];
  for (const sql of dangerous) assert.notDeepEqual(problemsOf(sql), [], sql);
  const harmless = [
    "ALTER TABLE tasks ADD COLUMN x int",
    "ALTER TABLE tasks ADD COLUMN x int NOT NULL DEFAULT 0",
    "CREATE TABLE things (id int NOT NULL); CREATE INDEX things_by_id ON things (id)",
    "ALTER TABLE tasks ADD CONSTRAINT x CHECK (seq > 0) NOT VALID",
    "-- DROP TABLE tasks",
    "-- Step: a column\nALTER TABLE tasks ADD COLUMN x int;\n-- Step, in batches: x\nUPDATE tasks SET x = 1;\n-- Step: the end\nSELECT 1",
  ];
  for (const sql of harmless) assert.deepEqual(problemsOf(sql), [], sql);
});
