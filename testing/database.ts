import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type pg from "pg";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { ROLES } from "#lib/db/embedded/passwords.ts";
import { createDatabase } from "#lib/db/embedded/roles.ts";
import { openEmbedded } from "#lib/db/embedded.ts";
import { MIGRATIONS_DIR, migrationNames } from "#lib/db/migration-file.ts";
import { withClient } from "#lib/db/with-client.ts";

export type TestDatabase = {
  /** For the service, whose role cannot change tables. */
  url: string;
  /** For what only the owner may: tables, triggers, VACUUM, ANALYZE, bulk loads. */
  ownerUrl: string;
  /** Ends every session of the database and removes it. */
  drop(): Promise<void>;
};

/** Another folder in `npm test`, which keeps it in memory. */
const DIR = process.env.TEST_DATABASE_DIR ?? resolve(import.meta.dirname, "../.data/test");

// Test data is disposable, so speed matters more than surviving a power cut. Nothing vacuums
// automatically: that would change plans, and block dropping a database.
const SETTINGS = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  // It would be most of the work of copying the template.
  wal_compression: "off",
  max_connections: "300",
  // In the folder of its data.
  ...(process.platform === "win32" ? {} : { unix_socket_directories: "." }),
};
/** Longer addresses of sockets do not exist. */
const MAX_SOCKET_PATH = 100;

export type TestServer = {
  /** For a role that may create databases. */
  adminUrl: string;
  /** The roles of the databases, by their URLs to no database in particular; undefined where there is one role for all. */
  roles: { owner: string; service: string; ownerUrl: string; serviceUrl: string } | undefined;
  close(): Promise<void>;
};

/**
 * The server that all tests of this checkout share, or the one of `TEST_DATABASE_URL` if that is set. It stops when no process
 * uses it.
 */
export async function openTestServer(): Promise<TestServer> {
  const outside = process.env.TEST_DATABASE_URL;
  if (outside) return { adminUrl: outside, roles: await outsideRoles(outside), close: async () => undefined };
  const { url, ownerUrl, superuserUrl, close } = await openEmbedded({ dir: DIR, settings: SETTINGS });
  const roles = { ...ROLES, ownerUrl: throughSocket(ownerUrl), serviceUrl: throughSocket(url) };
  return { adminUrl: throughSocket(superuserUrl()), roles, close };
}

/** The same database through the server's socket, where there is one: a query then costs a fifth less processor time than over TCP. */
function throughSocket(url: string): string {
  const changed = new URL(url);
  const folder = join(DIR, "cluster");
  const socket = join(folder, `.s.PGSQL.${changed.port}`);
  if (socket.length <= MAX_SOCKET_PATH && existsSync(socket)) changed.searchParams.set("host", folder);
  return changed.href;
}

/** The same database over TCP, for programs of other users, and for another port. */
export function overTcp(url: string): string {
  const changed = new URL(url);
  changed.searchParams.delete("host");
  return changed.href;
}

/**
 * Why tests of separate roles cannot run, or false if they can. They need the embedded server, or a superuser of an outside
 * one.
 */
export async function noRoles(): Promise<string | false> {
  const outside = process.env.TEST_DATABASE_URL;
  return !outside || (await outsideRoles(outside))
    ? false
    : "TEST_DATABASE_URL must be a superuser's, who can make roles";
}

/** On a server where we are superuser: two roles whose passwords every test process derives in the same way. */
async function outsideRoles(url: string): Promise<TestServer["roles"]> {
  const [owner, service] = ["guildhall_test_owner", "guildhall_test_service"];
  const passwordOf = (role: string) => createHash("sha256").update(`${role} ${url}`).digest("hex");
  let separated = false;
  await withClient(url, async (client) => {
    const { rows } = await client.query("SELECT rolsuper FROM pg_roles WHERE rolname = current_user");
    separated = rows[0].rolsuper;
    if (!separated) return;
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    for (const role of [owner, service]) {
      const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [role]);
      await client.query(`${rowCount ? "ALTER" : "CREATE"} ROLE ${role} LOGIN PASSWORD '${passwordOf(role)}'`);
    }
  });
  if (!separated) return undefined;
  const as = (role: string) => Object.assign(new URL(url), { username: role, password: passwordOf(role) }).href;
  return { owner, service, ownerUrl: as(owner), serviceUrl: as(service) };
}

/**
 * A fresh database with every migration and the job queue (or with `empty`, nothing at all), on the server that all tests
 * share. Costs a copy of a template, which the first test makes.
 */
export async function testDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const server = await openTestServer();
  try {
    const name = `guildhall_test_${Date.now().toString(36)}_${randomBytes(4).toString("hex")}`;
    await withClient(server.adminUrl, async (client) => {
      await create(client, server, name, options.empty ? "template1" : await template(client, server));
    });
    let dropping: Promise<void> | undefined;
    const drop = async () => {
      await withClient(server.adminUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await server.close();
    };
    return {
      ...urlsOf(server, name),
      drop() {
        dropping ??= drop();
        return dropping;
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function create(client: pg.Client, { roles }: TestServer, name: string, source: string): Promise<void> {
  if (roles) await createDatabase(client, name, { template: source, roles });
  else await client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
}

function urlsOf({ adminUrl, roles }: TestServer, name: string): { url: string; ownerUrl: string } {
  return {
    url: onDatabase(roles?.serviceUrl ?? adminUrl, name),
    ownerUrl: onDatabase(roles?.ownerUrl ?? adminUrl, name),
  };
}

const LOCK = 3_611_220_784;

/** The prepared database to copy; its name changes with what it was made from. */
async function template(client: pg.Client, server: TestServer): Promise<string> {
  const name = `guildhall_template_${sourceHash()}`;
  await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount) return name;
    await sweep(client);
    // It gets its name when it is complete, so an interrupted attempt is never copied.
    const draft = `guildhall_draft_${randomBytes(4).toString("hex")}`;
    await create(client, server, draft, "template1");
    const { url, ownerUrl } = urlsOf(server, draft);
    await updateDatabase(url, ownerUrl);
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
    return name;
  } finally {
    await client.query("SELECT pg_advisory_unlock($1)", [LOCK]);
  }
}

const LEFT_BEHIND_SECONDS = 6 * 3600;

/** Earlier templates, and what tests that were killed left behind some hours ago. */
async function sweep(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname ~ '^guildhall_(test|template|draft)_'",
  );
  const oldest = Date.now() - LEFT_BEHIND_SECONDS * 1000;
  for (const { datname } of rows) {
    const [, kind, made = ""] = datname.split("_");
    if (kind !== "test" || Number.parseInt(made, 36) < oldest)
      await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  }
}

function sourceHash(): string {
  const { dependencies } = JSON.parse(readFileSync(resolve(import.meta.dirname, "../package.json"), "utf8"));
  const hash = createHash("sha256")
    .update(`graphile-worker ${dependencies["graphile-worker"]}`)
    .update(readFileSync(resolve(import.meta.dirname, "../lib/db/roles.ts")));
  for (const name of migrationNames()) {
    hash
      .update(name)
      .update("\0")
      .update(readFileSync(join(MIGRATIONS_DIR, name, "migration.sql")))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

function onDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
