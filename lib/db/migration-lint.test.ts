import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { MIGRATIONS_DIR, migrationNames } from "./migration-file.ts";

const ROOT = join(import.meta.dirname, "../..");
const SQUAWK = join(ROOT, "node_modules/squawk-cli/js/bin/squawk");

/** Earlier migrations were applied before anything ran beside them, and an applied one never changes. */
const SINCE = "20261122140";

type Violation = { file: string; line: number; rule_name: string; message: string; help: string | null };

/** What squawk finds in each file, by the rules of `.squawk.toml`, and what it has no rule for. */
function problemsOf(sqlOf: Record<string, string>): string[] {
  const dir = mkdtempSync(join(tmpdir(), "guildhall-lint-"));
  try {
    for (const [name, sql] of Object.entries(sqlOf)) writeFileSync(join(dir, name), sql);
    const paths = Object.keys(sqlOf).map((name) => join(dir, name));
    const args = [SQUAWK, "--config", join(ROOT, ".squawk.toml"), "--reporter", "json", ...paths];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    if (!stdout.startsWith("[")) throw new Error(`squawk did not answer: ${stderr}`);
    const found = (JSON.parse(stdout) as Violation[]).map(
      ({ file, line, rule_name, message, help }) =>
        `${basename(file)}, line ${line + 1}, ${rule_name}: ${message} ${help ?? ""}`,
    );
    return [
      ...found,
      ...Object.entries(sqlOf).flatMap(([name, sql]) => otherProblems(sql).map((each) => `${name}: ${each}`)),
    ];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** What is run in batches may change many rows, because each batch is a transaction of its own. */
const BATCHES = /^-- Step, in batches: [\s\S]*?(?=^-- Step|(?![\s\S]))/gm;
const CHANGE = /^(.*)\n\s*(?:UPDATE|DELETE\s+FROM)\s+"?(\w+)/gim;

function otherProblems(sql: string): string[] {
  const found: string[] = [];
  const code = sql.replace(/--.*$/gm, "");
  if (/^-- Step.*$/m.exec(sql)?.[0].startsWith("-- Step, in batches"))
    found.push("begins with a step in batches, which could not be continued");
  const whole = sql.replace(BATCHES, "").replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  for (const [, above = "", table] of `\n${whole}`.matchAll(CHANGE))
    if (!/^-- Few rows: \S.{20,}/.test(above))
      found.push(
        `changes all rows of ${table} in one transaction: use "-- Step, in batches", or a comment "-- Few rows: …"`,
      );
  if (/\b(?:SET\s+(?:LOCAL\s+)?lock_timeout|LOCK\s+TABLE)\b/i.test(code))
    found.push("takes the lock for longer than lib/db/migrate.ts allows");
  if (/\bCONCURRENTLY\b/i.test(code)) found.push("cannot run in the migration's transaction");
  for (const [, reason = ""] of sql.matchAll(/^(.*)\n-- squawk-ignore\b/gm))
    if (!/^-- \S.{20,}/.test(reason)) found.push("the comment above squawk-ignore does not say why it is safe");
  return found;
}

test("migrations only add, and hold no large table for long; exceptions say why they are safe", () => {
  const recent = migrationNames().filter((name) => name >= SINCE);
  const sqlOf = recent.map((name) => [
    `${name}.sql`,
    readFileSync(join(MIGRATIONS_DIR, name, "migration.sql"), "utf8"),
  ]);
  assert.deepEqual(recent.length > 0 ? problemsOf(Object.fromEntries(sqlOf)) : [], []);
});

test("the lint knows what is dangerous", () => {
  const dangerous: Record<string, string> = {
    drop: "ALTER TABLE tasks DROP COLUMN title;",
    rename: 'ALTER TABLE "tasks" RENAME TO jobs;',
    rewrite: "ALTER TABLE tasks ALTER COLUMN seq TYPE numeric;",
    require: "ALTER TABLE tasks ADD COLUMN x int NOT NULL;",
    index: "CREATE INDEX tasks_by_x ON tasks (x);",
    check: "ALTER TABLE tasks ADD CONSTRAINT x CHECK (seq > 0);",
    concurrent: "CREATE INDEX CONCURRENTLY x ON tasks (x);",
    lock: "LOCK TABLE tasks;",
    rows: "UPDATE tasks SET title = '';",
    first: "-- Step, in batches: titles\nSELECT set_titles() AS reached;",
    bare: "\n-- squawk-ignore ban-drop-column\nALTER TABLE tasks DROP COLUMN title;",
  };
  const found = problemsOf(dangerous);
  const missed = Object.keys(dangerous).filter((name) => !found.some((problem) => problem.startsWith(name)));
  assert.deepEqual(missed, []);
  const harmless = [
    "ALTER TABLE tasks ADD COLUMN x int;",
    "ALTER TABLE tasks ADD COLUMN y int NOT NULL DEFAULT 0;",
    "CREATE TABLE things (id int NOT NULL);",
    "CREATE INDEX things_by_id ON things (id);",
    "ALTER TABLE tasks ADD CONSTRAINT x CHECK (seq > 0) NOT VALID;",
    "-- DROP TABLE tasks;",
    "-- The table has one row for each process, never more than ten.",
    "-- squawk-ignore ban-drop-column",
    "ALTER TABLE processes DROP COLUMN title;",
    "-- Few rows: the table has one row for each process.",
    "UPDATE processes SET n = 1;",
    "-- Step: a column",
    "ALTER TABLE tasks ADD COLUMN z int;",
    "-- Step, in batches: its values",
    "UPDATE tasks SET z = 1;",
  ];
  assert.deepEqual(problemsOf({ harmless: harmless.join("\n") }), []);
});
