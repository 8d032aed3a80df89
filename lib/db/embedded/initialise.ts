import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import pg from "pg";
import type { Place } from "./place.ts";
import { lastLines, runProgram } from "./program.ts";

/** The role and the database of the service; the role may create databases, and is no superuser. */
const ROLE = "guildhall";
export const DATABASE = "guildhall";
const SUPERUSER = "postgres";

/**
 * Makes the cluster with a generated password. It gets its name only when it is whole, so that an interrupted attempt
 * is never taken for a database.
 */
export async function initialise(place: Place, port: number): Promise<void> {
  const fresh = `${place.cluster}.new`;
  const passwordFile = `${place.cluster}.password`;
  const password = randomBytes(24).toString("base64url");
  rmSync(fresh, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(fresh, { mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: "wx" });
  if (place.user) {
    chownSync(fresh, place.user.uid, place.user.gid);
    chownSync(passwordFile, place.user.uid, place.user.gid);
  }
  try {
    await runInitdb(place, fresh, passwordFile);
    writeUrl(place, `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`);
    renameSync(fresh, place.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

// Sorting and case are PostgreSQL's own C.UTF-8, the same on every machine. What is a letter, full-text search asks of
// the system's locale. One of UTF-8 will do, whichever; plain C, which every system has, is the last resort.
const CHARACTER_LOCALES = ["C.UTF-8", "en_US.UTF-8", "C"];

async function runInitdb(place: Place, data: string, passwordFile: string): Promise<void> {
  let said = "";
  for (const locale of CHARACTER_LOCALES) {
    const { code, output } = await runProgram(place, place.binaries.initdb, [
      ...["-D", data, "-U", SUPERUSER, `--pwfile=${passwordFile}`, "--auth=scram-sha-256", "--data-checksums"],
      ...["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      ...[`--lc-ctype=${locale}`, "--text-search-config=english"],
    ]);
    if (code === 0) return;
    said = output;
    if (!said.includes("invalid locale name")) break;
  }
  if (said.includes("No space left on device")) throw diskFull(data);
  throw new Error(`initdb could not make the database in ${data}. It said:\n${lastLines(said)}`);
}

export function diskFull(where: string): Error {
  return new Error(
    `The disk that holds ${where} is full: free some space, or set DATA_DIR to a folder on another disk.`,
  );
}

export function writeUrl(place: Place, url: string): void {
  writeFileSync(place.urlFile, `${url}\n`, { mode: 0o600 });
  chmodSync(place.urlFile, 0o600);
}

/** Makes role and database where they are missing; costs one round trip where they are not. */
export async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(url) });
  await client.connect();
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
              EXISTS (SELECT FROM pg_database WHERE datname = $2) AS database`,
      [ROLE, DATABASE],
    );
    const password = client.escapeLiteral(new URL(url).password);
    if (!rows[0]?.role) await client.query(`CREATE ROLE ${ROLE} LOGIN CREATEDB PASSWORD ${password}`);
    if (!rows[0]?.database) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`);
  } finally {
    await client.end();
  }
}

export function superuserUrl(url: string): string {
  const superuser = new URL(url);
  superuser.username = SUPERUSER;
  superuser.pathname = "/postgres";
  return superuser.href;
}
