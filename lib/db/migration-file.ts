import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

// Inside Next's bundles a module has no folder of its own, and the working folder is the project's.
const ROOT = import.meta.dirname ? resolve(import.meta.dirname, "../..") : process.cwd();
export const MIGRATIONS_DIR = join(ROOT, "prisma/migrations");

/** A part of a migration that is a transaction of its own. */
export type Step = {
  sql: string;
  /** The line of the file on which `sql` begins, from 1. */
  line: number;
  /** Repeated until its last query returns null as `reached`. */
  inBatches: boolean;
};

export type MigrationFile = {
  name: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  checksum: string;
  /** At least one. */
  steps: Step[];
  /** Whether a database whose history has this checksum has run this migration. */
  isChecksum(checksum: string): boolean;
};

const STEP = /^-- Step(, in batches)?: .*$/gm;
/** A line that names the SHA-256 of an earlier text with the same outcome. */
const FORMERLY = /^-- Formerly: ([0-9a-f]{64})$/gm;

/** The folders of `prisma/migrations`, oldest first. */
export function migrationNames(dir: string = MIGRATIONS_DIR): string[] {
  return readdirSync(/* turbopackIgnore: true */ dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Undefined if there is no such migration. */
export function findMigration(name: string, dir: string = MIGRATIONS_DIR): MigrationFile | undefined {
  return migrationNames(dir).includes(name) ? readMigration(name, dir) : undefined;
}

export function readMigration(name: string, dir: string): MigrationFile {
  const text = readFileSync(/* turbopackIgnore: true */ join(dir, name, "migration.sql"), "utf8");
  // As Prisma does, so that a checkout with the other kind of line ends is no change.
  const unix = text.replaceAll("\r\n", "\n");
  const accepted = new Set([text, unix, unix.replaceAll("\n", "\r\n")].map(checksumOf));
  for (const [, former = ""] of unix.matchAll(FORMERLY)) accepted.add(former);
  return {
    name,
    checksum: checksumOf(text),
    steps: stepsOf(text),
    isChecksum: (checksum) => accepted.has(checksum),
  };
}

/** A file without marks is one step. What stands before the first mark is comments. */
function stepsOf(text: string): Step[] {
  const marks = [...text.matchAll(STEP)];
  if (marks.length === 0) return [{ sql: text, line: 1, inBatches: false }];
  return marks.map((mark, index) => ({
    sql: text.slice(mark.index, marks[index + 1]?.index),
    line: text.slice(0, mark.index).split("\n").length,
    inBatches: mark[1] !== undefined,
  }));
}

function checksumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
