import assert from "node:assert/strict";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { holdElsewhere } from "#testing/processes/embedded.ts";
import { newDir, recall, remember, using } from "#testing/processes/embedded-use.ts";
import { query } from "#testing/query.ts";
import { isRunning, readPostmaster } from "./embedded/postmaster.ts";
import { openEmbedded } from "./embedded.ts";

function postmasterPid(dir: string): number {
  const postmaster = readPostmaster(join(dir, "cluster"));
  assert.ok(postmaster);
  return postmaster.pid;
}

test("the first process starts the server, later ones attach, the last to leave stops it, and data and address stay", async () => {
  const dir = newDir();
  const first = await openEmbedded({ dir });
  assert.equal(first.started, "initialised");
  await remember(first, "kept");
  const pid = postmasterPid(dir);
  const second = await holdElsewhere(dir);
  assert.equal(second.started, "attached");
  assert.equal(second.url, first.url);
  // A server that runs is left alone, and closing twice is closing once.
  await first.ensureRunning();
  await Promise.all([first.close(), first.close()]);
  assert.deepEqual(await query(second.url, "SELECT 1 AS one"), [{ one: 1 }], "the server stays for the second");
  assert.equal(postmasterPid(dir), pid);
  await second.leave();
  assert.equal(isRunning(join(dir, "cluster")), false);
  await first.ensureRunning();
  assert.equal(isRunning(join(dir, "cluster")), false, "a closed database is not started again");
  await using(dir, async (database) => {
    assert.deepEqual([database.started, database.url], ["started", first.url]);
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

test("committed data survives killing the server and the process together", async () => {
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

test("an interrupted initialisation is started again", async () => {
  const dir = newDir();
  mkdirSync(join(dir, "cluster.new/base"), { recursive: true });
  writeFileSync(join(dir, "cluster.password"), "left behind");
  await using(dir, async (database) => assert.equal(database.started, "initialised"));
  assert.deepEqual(readdirSync(dir).sort(), ["cluster", "locks", "passwords", "url"]);
});

for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
  test(`a server that ended by ${signal} is started again at the same address, once for all callers`, async () => {
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
