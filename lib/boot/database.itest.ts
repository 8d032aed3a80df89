import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, readPostmaster } from "#lib/db/embedded/postmaster.ts";
import { migrationNames } from "#lib/db/migration-file.ts";
import { noRoles, testDatabase } from "#testing/database.ts";
import { openFolder, removeFolder } from "#testing/processes/embedded.ts";
import { query } from "#testing/query.ts";
import { openDatabase } from "./database.ts";
import { updateDatabase } from "./update-database.ts";

const { DATABASE_URL, DATABASE_OWNER_URL, AUTH_SECRET } = process.env;
const before = { DATABASE_URL, DATABASE_OWNER_URL, AUTH_SECRET };
const authSecret = "a secret of at least thirty-two characters";
const skip = await noRoles();
let dataDir = "";
beforeEach(() => {
  dataDir = openFolder();
});
afterEach(() => {
  removeFolder(dataDir);
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

test("without DATABASE_URL, the embedded database is opened, and its URL and secret are set", async () => {
  const database = await openDatabase({ dataDir, databaseUrl: undefined, authSecret: undefined });
  assert.equal(process.env.DATABASE_URL, database.url);
  assert.match(process.env.AUTH_SECRET ?? "", /^.{43}$/);
  await database.close();
});

test("the embedded database is restarted if it dies", async () => {
  const database = await openDatabase({ dataDir, databaseUrl: undefined, authSecret: undefined });
  const cluster = join(dataDir, "postgres/cluster");
  const pid = readPostmaster(cluster)?.pid ?? 0;
  process.kill(pid, "SIGKILL");
  while (!isRunning(cluster) || readPostmaster(cluster)?.pid === pid) await delay(50);
  await database.close();
  assert.equal(isRunning(cluster), false);
});

test("an outside database is used unchanged; if it refuses, the error does not contain the password", async () => {
  const outside = await testDatabase();
  const opened = await openDatabase({ dataDir, databaseUrl: outside.url, authSecret });
  assert.equal(process.env.DATABASE_URL, outside.url);
  await opened.close();
  const wrong = new URL(outside.url);
  wrong.password = "wrong-password";
  await assert.rejects(openDatabase({ dataDir, databaseUrl: wrong.href, authSecret }), (error: Error) => {
    assert.match(error.message, /^DATABASE_URL: 127\.0\.0\.1:\d+\/\w+ cannot be used \(.*\)\. Correct it/);
    assert.ok(!error.message.includes("wrong-password"));
    return true;
  });
  await outside.drop();
});

test("the owner's address is given out once and is not left in the environment", { skip }, async () => {
  const outside = await testDatabase();
  process.env.DATABASE_OWNER_URL = outside.ownerUrl;
  const variables = { dataDir, databaseUrl: outside.url, databaseOwnerUrl: outside.ownerUrl, authSecret };
  const database = await openDatabase(variables);
  assert.equal(process.env.DATABASE_OWNER_URL, undefined);
  assert.equal(process.env.DATABASE_URL, outside.url);
  assert.equal(await database.asOwner(async (ownerUrl) => ownerUrl), outside.ownerUrl);
  await assert.rejects(async () => database.asOwner(async (ownerUrl) => ownerUrl), /used and forgotten/);
  assert.ok(!JSON.stringify(database).includes(outside.ownerUrl));
  await outside.drop();
});

test("if the owner's role is refused, the error names the variable but not the password", async () => {
  const outside = await testDatabase();
  const wrong = Object.assign(new URL(outside.ownerUrl), { password: "wrong-password" }).href;
  const variables = { dataDir, databaseUrl: outside.url, databaseOwnerUrl: wrong, authSecret };
  await assert.rejects(openDatabase(variables), (error: Error) => {
    assert.match(error.message, /^DATABASE_OWNER_URL: .* Correct it, or remove it\.$/);
    assert.ok(!error.message.includes("wrong-password"));
    return true;
  });
  await outside.drop();
});

test("an empty outside database is migrated by its owner and served by a role that cannot change tables", {
  skip,
}, async () => {
  const { url, ownerUrl, drop } = await testDatabase({ empty: true });
  assert.deepEqual(await updateDatabase(url, ownerUrl), { applied: migrationNames(), warning: undefined });
  assert.deepEqual(await query(url, "SELECT FROM owners"), []);
  await assert.rejects(query(url, "DROP TABLE owners"), { code: "42501" });
  assert.deepEqual(await updateDatabase(url, ownerUrl), { applied: [], warning: undefined });
  await drop();
});

test("with a single role, the service works and warns that it can change its own tables", async () => {
  const { ownerUrl, drop } = await testDatabase({ empty: true });
  const { applied, warning } = await updateDatabase(ownerUrl, ownerUrl);
  assert.deepEqual(applied, migrationNames());
  assert.match(
    warning ?? "",
    /^The service can change its own tables, because its database role \w+ owns the tables\. /,
  );
  assert.match(warning ?? "", /DATABASE_OWNER_URL: see docs\/database-roles\.md\.$/);
  await drop();
});

test("a service's role that may still create tables gets its rights, and the start says so", { skip }, async () => {
  const { url, ownerUrl, drop } = await testDatabase({ empty: true });
  await query(ownerUrl, "GRANT CREATE ON SCHEMA public TO PUBLIC");
  const { warning } = await updateDatabase(url, ownerUrl);
  assert.match(warning ?? "", /may create tables\. Separate it from DATABASE_OWNER_URL's: see docs/);
  assert.deepEqual(await query(url, "SELECT FROM owners"), []);
  await drop();
});

test("a service without an owner starts on a current database, and on an outdated one says what is missing", {
  skip,
}, async () => {
  const current = await testDatabase();
  assert.deepEqual(await updateDatabase(current.url, current.url), { applied: [], warning: undefined });
  await current.drop();
  const empty = await testDatabase({ empty: true });
  await assert.rejects(
    updateDatabase(empty.url, empty.url),
    /needs updating, but DATABASE_URL.s role \w+ may not do that: set DATABASE_OWNER_URL .*docs\/database-roles/,
  );
  await empty.drop();
});

test("behind a pooler without an owner's URL, the roles are not taken for separated, whichever role serves", async () => {
  const { url, ownerUrl, drop } = await testDatabase();
  /** The same role by another address, as `DIRECT_DATABASE_URL` has one. */
  const direct = (address: string) => Object.assign(new URL(address), { search: "?application_name=direct" }).href;
  const env = { dataDir, databaseUrl: url, directDatabaseUrl: direct(url), authSecret };
  const database = await openDatabase(env);
  const { applied } = await database.asOwner((owner) => updateDatabase(database.url, owner));
  assert.deepEqual(applied, []);
  await database.close();
  const { warning } = await updateDatabase(ownerUrl, direct(ownerUrl));
  assert.match(warning ?? "", /owns the tables\. Give it a separate owner in DATABASE_OWNER_URL/);
  await drop();
});

test("the start fails with a remedy if the owner's role does not own the tables", { skip }, async () => {
  const { url, ownerUrl, drop } = await testDatabase();
  // Two roles the wrong way round.
  const { warning } = await updateDatabase(ownerUrl, url);
  assert.match(warning ?? "", /owns the tables\. Separate it from DATABASE_OWNER_URL's/);
  await query(ownerUrl, "DELETE FROM _prisma_migrations");
  await assert.rejects(
    updateDatabase(ownerUrl, url),
    /needs updating, but DATABASE_OWNER_URL.s role \w+ may not do that: hand the tables over/,
  );
  await drop();
});
