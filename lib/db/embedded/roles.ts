import pg from "pg";
import {
  DATABASE,
  lost,
  newPasswords,
  type Passwords,
  ROLES,
  type Role,
  readPasswords,
  readUrl,
  roleUrl,
  writePasswords,
  writeUrl,
} from "./passwords.ts";
import type { Place } from "./place.ts";

/** Connects as superuser to the maintenance database or another one; undefined if the password is wrong. */
export async function trySuperuser(
  password: string,
  port: number,
  database = "postgres",
): Promise<pg.Client | undefined> {
  const connectionString = roleUrl("superuser", password, port, database);
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    if ((error as { code?: string }).code === WRONG_PASSWORD) return undefined;
    throw error;
  }
}

const WRONG_PASSWORD = "28P01";

/**
 * Creates missing roles and the database, and separates the roles of a cluster from an earlier version, whose only role owned
 * everything and shared the superuser's password. It reads from the server what is left to do, so the next start completes one
 * that was interrupted. If nothing is left to do, it costs one connection.
 * @param alone whether no other process uses the cluster
 * @param begun whether the server has just been started: passwords and attributes are then set again, because a role can
 *   change its own password
 */
export async function ensureRoles(
  place: Place,
  port: number,
  { alone, begun }: { alone: boolean; begun: boolean },
): Promise<Passwords> {
  const known = readPasswords(place);
  const current = known && (await trySuperuser(known.superuser, port));
  const client = current ?? (await trySuperuser(readUrl(place).password, port));
  if (!client) throw lost(place, place.passwordsFile);
  const passwords = known ?? newPasswords();
  try {
    if (!current) {
      if (!alone) throw earlierVersion(place);
      // The file gets the new passwords before the server does, so the server never has one that nobody knows.
      if (!known) writePasswords(place, passwords);
    }
    if (begun || !current || !(await hasRoles(client))) await setRoles(client, passwords);
    for (const database of await leftWithService(client)) await handOver(passwords.superuser, port, database);
    await ensureDatabase(client);
  } finally {
    await client.end();
  }
  const url = roleUrl("service", passwords.service, port);
  if (readUrl(place).href !== url) writeUrl(place, url);
  return passwords;
}

function earlierVersion(place: Place): Error {
  return new Error(
    `An earlier version of this service is still using the database in ${place.cluster}: stop it, then start again.`,
  );
}

async function hasRoles(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = ANY ($1)", [
    [ROLES.owner, ROLES.service],
  ]);
  return rowCount === 2;
}

/** All in one transaction: if the superuser's password works, the others are right as well. */
async function setRoles(client: pg.Client, passwords: Passwords): Promise<void> {
  const password = (role: Role) => client.escapeLiteral(passwords[role]);
  const separate = async (role: "owner" | "service") => {
    const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [ROLES[role]]);
    await client.query(
      `${rowCount ? "ALTER" : "CREATE"} ROLE ${ROLES[role]} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       NOINHERIT PASSWORD ${password(role)}`,
    );
    await client.query(`ALTER ROLE ${ROLES[role]} RESET ALL`);
  };
  await client.query("BEGIN");
  await separate("owner");
  await separate("service");
  await client.query(`ALTER ROLE ${ROLES.superuser} PASSWORD ${password("superuser")}`);
  await client.query("COMMIT");
}

/** The databases in which the service's role owns anything. */
async function leftWithService(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT d.datname AS name FROM pg_shdepend s
     JOIN pg_database d ON d.oid = s.dbid OR (s.dbid = 0 AND d.datname = current_database())
     WHERE s.refclassid = 'pg_authid'::regclass AND s.refobjid = $1::regrole AND s.deptype = 'o' AND d.datallowconn`,
    [ROLES.service],
  );
  return rows.map(({ name }) => name);
}

async function handOver(password: string, port: number, database: string): Promise<void> {
  const client = await trySuperuser(password, port, encodeURIComponent(database));
  if (!client) throw new Error("PostgreSQL has just changed the superuser's password: start again.");
  try {
    await client.query(`REASSIGN OWNED BY ${ROLES.service} TO ${ROLES.owner}`);
  } finally {
    await client.end();
  }
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; open: boolean }>(
    `SELECT datname AS name, has_database_privilege('public', oid, 'CONNECT') OR has_database_privilege('public', oid, 'TEMP') AS open
     FROM pg_database WHERE datname = ANY ($1)`,
    [[DATABASE, "postgres", "template1"]],
  );
  if (!rows.some(({ name }) => name === DATABASE)) await createDatabase(client, DATABASE);
  for (const { name, open } of rows) {
    if (open) await closeToOthers(client, name, name === DATABASE ? ROLES.service : undefined);
  }
}

/** Creates a database that belongs to the owner's role. Only that role and the service's role may connect. */
export async function createDatabase(
  client: pg.Client,
  name: string,
  { template = "template1", roles = ROLES }: { template?: string; roles?: { owner: string; service: string } } = {},
): Promise<void> {
  // Copying files is several times faster than logging every page, and nothing is written to a template meanwhile.
  await client.query(`CREATE DATABASE ${name} OWNER ${roles.owner} TEMPLATE ${template} STRATEGY file_copy`);
  await closeToOthers(client, name, roles.service);
}

/** By default, PostgreSQL lets every role connect to a database and create temporary tables in it. */
async function closeToOthers(client: pg.Client, name: string, service?: string): Promise<void> {
  const grant = service ? `GRANT CONNECT ON DATABASE ${name} TO ${service};` : "";
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC; ${grant}`);
}
