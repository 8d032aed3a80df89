import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { updateDatabase } from "#lib/boot/update-database.ts";
import { installJobQueue } from "#lib/jobs/queue.ts";
import { tryLock } from "#lib/kernel/files/file-lock.ts";
import { holdElsewhere } from "#testing/processes/embedded.ts";
import { madeByEarlierVersion, newDir, using } from "#testing/processes/embedded-use.ts";
import { query } from "#testing/query.ts";
import { newPasswords } from "./embedded/passwords.ts";
import { readPostmaster } from "./embedded/postmaster.ts";
import { type Embedded, openEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";

const passwordOf = (url: string) => new URL(url).password;

const ATTRIBUTES = `SELECT rolname AS role, rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS powers
  FROM pg_roles WHERE rolcanlogin ORDER BY 1`;

/** Three roles with three passwords; the service's reads and writes, and owns nothing in any database. */
async function assertSeparated(database: Embedded): Promise<void> {
  const urls = [database.url, database.ownerUrl, database.superuserUrl()];
  assert.deepEqual(
    urls.map((url) => new URL(url).username),
    ["guildhall", "guildhall_owner", "postgres"],
  );
  assert.equal(new Set(urls.map(passwordOf)).size, 3);
  for (const url of urls) {
    assert.equal((await query(url, "SELECT 1")).length, 1);
    for (const other of urls) {
      const guess = Object.assign(new URL(url), { password: passwordOf(other) });
      if (other !== url) await assert.rejects(query(guess.href, "SELECT 1"), { code: "28P01" });
    }
  }
  assert.deepEqual(await query(urls[2] as string, ATTRIBUTES), [
    { role: "guildhall", powers: false },
    { role: "guildhall_owner", powers: false },
    { role: "postgres", powers: true },
  ]);
  const owned = "SELECT FROM pg_shdepend WHERE refobjid = 'guildhall'::regrole AND deptype = 'o'";
  assert.deepEqual(await query(urls[2] as string, owned), []);
  assert.deepEqual(
    await query(urls[2] as string, "SELECT FROM pg_auth_members WHERE member = 'guildhall'::regrole"),
    [],
  );
}

/** The service's role finds its data, may go on, and may not change tables. */
async function assertServes(database: Embedded): Promise<void> {
  await updateDatabase(database.url, database.ownerUrl);
  assert.deepEqual(await query(database.url, "SELECT email FROM owners"), [{ email: "kept@example.com" }]);
  await query(database.url, "UPDATE owners SET name = 'Other'");
  await query(database.url, "SELECT graphile_worker.add_job('expire-tasks')");
  assert.equal((await query(database.url, "SELECT FROM graphile_worker._private_jobs")).length, 2);
  for (const sql of ["ALTER TABLE audit_events DISABLE TRIGGER ALL", "CREATE TABLE other ()", "CREATE DATABASE other"])
    await assert.rejects(query(database.url, sql), { code: "42501" }, sql);
}

async function fill(url: string): Promise<void> {
  await migrate(url);
  await installJobQueue(url);
  await query(
    url,
    "INSERT INTO owners (id, email, name, created_at) VALUES ('own_1', 'kept@example.com', 'Owner', now())",
  );
  await query(url, "SELECT graphile_worker.add_job('expire-tasks')");
}

test("a new database has an owner, a role for the service, and a superuser with passwords of their own", () =>
  using(newDir(), assertSeparated));

test("a database of an earlier version is separated at its first start, keeps its data, and stays separated", async () => {
  const dir = newDir();
  await madeByEarlierVersion(dir, async (url) => {
    await fill(url);
    await query(url, "CREATE DATABASE of_their_own");
    await query(url.replace(/guildhall$/, "of_their_own"), "CREATE TABLE notes ()");
  });
  const old = readFileSync(join(dir, "url"), "utf8").trim();
  await using(dir, async (database) => {
    await assertSeparated(database);
    await assertServes(database);
    for (const role of ["guildhall", "guildhall_owner", "postgres"]) {
      const before = Object.assign(new URL(database.url), { username: role, password: passwordOf(old) });
      await assert.rejects(query(before.href, "SELECT 1"), { code: "28P01" }, "the old password opens nothing");
    }
  });
  for (const name of ["url", "passwords"]) assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600);
  const passwords = readFileSync(join(dir, "passwords"), "utf8");
  await using(dir, assertSeparated);
  assert.equal(readFileSync(join(dir, "passwords"), "utf8"), passwords);
});

/** What a start that was killed on its way leaves behind, as statements of the superuser. */
const CUT_OFF: Record<string, string[]> = {
  "before the server had the new passwords": [],
  "after it had them": ["OWNER", "SERVICE", "SUPERUSER"],
  "between the hand-over of two databases": [
    "OWNER",
    "SERVICE",
    "SUPERUSER",
    "REASSIGN OWNED BY guildhall TO guildhall_owner",
  ],
};

for (const [when, statements] of Object.entries(CUT_OFF)) {
  test(`a separation that was cut off ${when} is completed by the next start`, async () => {
    const dir = newDir();
    const passwords = newPasswords();
    await madeByEarlierVersion(dir, async (url) => {
      await fill(url);
      const superuser = Object.assign(new URL(url), { username: "postgres", pathname: "/postgres" });
      const roles: Record<string, string> = {
        OWNER: `CREATE ROLE guildhall_owner LOGIN PASSWORD '${passwords.owner}'`,
        SERVICE: `ALTER ROLE guildhall NOCREATEDB PASSWORD '${passwords.service}'`,
        SUPERUSER: `ALTER ROLE postgres PASSWORD '${passwords.superuser}'`,
      };
      for (const statement of statements) {
        await query(superuser.href, roles[statement] ?? statement);
        if (statement === "SUPERUSER") superuser.password = passwords.superuser;
      }
    });
    writeFileSync(join(dir, "passwords"), JSON.stringify(passwords), { mode: 0o600 });
    await using(dir, async (database) => {
      await assertSeparated(database);
      await assertServes(database);
      assert.equal(passwordOf(database.ownerUrl), passwords.owner);
    });
  });
}

test("a database whose making was cut off before it had roles gets them at the next start", async () => {
  const dir = newDir();
  await using(dir, async (database) => {
    await query(database.superuserUrl(), "DROP DATABASE guildhall");
    await query(database.superuserUrl(), "DROP ROLE guildhall");
    await query(database.superuserUrl(), "DROP ROLE guildhall_owner");
  });
  await using(dir, assertSeparated);
});

test("many processes that start at once separate an old database once and share it", async () => {
  const dir = newDir();
  await madeByEarlierVersion(dir, fill);
  const holders = await Promise.all(Array.from({ length: 4 }, () => holdElsewhere(dir)));
  assert.equal(new Set(holders.map(({ url, ownerUrl }) => `${url} ${ownerUrl}`)).size, 1);
  await using(dir, async (database) => {
    await assertSeparated(database);
    await assertServes(database);
  });
  await Promise.all(holders.map((holder) => holder.leave()));
});

test("if the service's role changes its own password, the next start of the server resets it", async () => {
  const dir = newDir();
  await using(dir, (database) => query(database.url, "ALTER ROLE guildhall PASSWORD 'another one'"));
  await using(dir, assertSeparated);
});

test("a database that a process of an earlier version still uses is left as it is", async () => {
  const dir = newDir();
  await madeByEarlierVersion(dir, async (url) => {
    const seat = tryLock(join(dir, "locks/users"), "shared");
    try {
      await assert.rejects(openEmbedded({ dir }), /An earlier version .* still using .* stop it, then start again/);
    } finally {
      seat?.release();
    }
    assert.equal(existsSync(join(dir, "passwords")), false);
    assert.equal((await query(url, "SELECT 1")).length, 1, "it goes on");
  });
});

const NAMES = /^(PATH|HOME|LC_ALL)=/;
// What pg_ctl and the shell through which it starts the server add: where their files are, the working folder, a process number.
const ADDED = /^(PG_GRANDPARENT_PID|PGDATA|PGSYSCONFDIR|PGLOCALEDIR|PWD|OLDPWD|SHLVL|_)=/;

test("the PostgreSQL process has none of the service's secrets in its environment, and only variables that it needs", {
  skip: process.platform !== "linux",
}, async () => {
  const dir = newDir();
  const secrets = { AUTH_SECRET: "s3cret-of-the-service", STRIPE_SECRET_KEY: "sk_live_0123", DATABASE_OWNER_URL: "x" };
  Object.assign(process.env, secrets);
  try {
    await using(dir, async () => {
      const { pid } = readPostmaster(join(dir, "cluster")) ?? {};
      const variables = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").filter(Boolean);
      assert.ok(
        variables.some((variable) => NAMES.test(variable)),
        "its environment can be read",
      );
      assert.deepEqual(
        variables.filter((variable) => !NAMES.test(variable) && !ADDED.test(variable)),
        [],
      );
    });
  } finally {
    for (const name of Object.keys(secrets)) delete process.env[name];
  }
});
