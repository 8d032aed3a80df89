import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning, readPostmaster } from "#lib/db/embedded/postmaster.ts";
import { testDatabase } from "#lib/testing/database.ts";
import { openFolder, removeFolder } from "#lib/testing/embedded.ts";
import { openDatabase } from "./database.ts";

const before = { DATABASE_URL: process.env.DATABASE_URL, AUTH_SECRET: process.env.AUTH_SECRET };
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

test("without DATABASE_URL our own database is opened, and the process finds it and its secret", async () => {
  const database = await openDatabase({ dataDir, databaseUrl: undefined, authSecret: undefined });
  assert.equal(process.env.DATABASE_URL, database.url);
  assert.match(process.env.AUTH_SECRET ?? "", /^.{43}$/);
  await database.close();
});

test("our own database is started again when it dies", async () => {
  const database = await openDatabase({ dataDir, databaseUrl: undefined, authSecret: undefined });
  const cluster = join(dataDir, "postgres/cluster");
  const pid = readPostmaster(cluster)?.pid ?? 0;
  process.kill(pid, "SIGKILL");
  while (!isRunning(cluster) || readPostmaster(cluster)?.pid === pid) await delay(50);
  await database.close();
  assert.equal(isRunning(cluster), false);
});

test("an outside database is used as it is; one that refuses us is named without its password", async () => {
  const outside = await testDatabase();
  const authSecret = "a secret of at least thirty-two characters";
  const opened = await openDatabase({ dataDir, databaseUrl: outside.url, authSecret });
  assert.equal(process.env.DATABASE_URL, outside.url);
  await opened.close();
  const wrong = new URL(outside.url);
  wrong.password = "wrong-password";
  await assert.rejects(openDatabase({ dataDir, databaseUrl: wrong.href, authSecret }), (error: Error) => {
    assert.match(error.message, /^DATABASE_URL: 127\.0\.0\.1:\d+\/\w+ cannot be used \(.*\): correct it/);
    assert.ok(!error.message.includes("wrong-password"));
    return true;
  });
  await outside.drop();
});
