import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { closeDatabase, pool } from "#lib/db/client.ts";
import { readPostmaster } from "#lib/db/embedded/postmaster.ts";
import { type Embedded, openEmbedded } from "#lib/db/embedded.ts";
import { forFile, startTestService } from "#testing/client.ts";
import { LogHistory } from "#testing/log/history.ts";
import { entered } from "#testing/log/signed-log.ts";
import { writeStatements } from "#testing/log/statements.ts";
import { openFolder } from "#testing/processes/embedded.ts";
import { query } from "#testing/query.ts";
import { startRecord } from "../record.ts";
import { readLogs } from "./read.ts";
import { signCheckpoint } from "./sign.ts";
import { startSigning } from "./signing-loop.ts";

/** At how many of the log's own queries the database is killed; `DATABASE_CRASHES=25` for the long run. */
const CRASHES = Number(process.env.DATABASE_CRASHES ?? 2);
/** In a short run the points lie this far apart. A cycle of placing, entering and signing has about 25 queries. */
const STEP = Math.max(1, Math.floor(25 / CRASHES));

process.env.LOG_LEVEL ??= "silent";
const databaseFolder = openFolder();
const dataFolder = mkdtempSync(join(tmpdir(), "guildhall-crash-"));
let database: Embedded;
let service: Awaited<ReturnType<typeof startTestService>>;
let record: ReturnType<typeof startRecord>;

forFile(async () => {
  database = await openEmbedded({ dir: databaseFolder });
  process.env.TEST_DATABASE_URL = database.superuserUrl();
  // It would lead to another server.
  delete process.env.TEST_POOLER_URL;
  service = await startTestService({ DATA_DIR: dataFolder, OWN_DATABASE: "1", BASE_URL: "https://test.example" });
  record = startRecord();
  return {
    async stop() {
      await record.stop();
      await service.stop();
      await database.close();
      for (const folder of [databaseFolder, dataFolder]) rmSync(folder, { recursive: true });
    },
  };
});

type Send = (this: pg.Client, ...args: unknown[]) => unknown;

/**
 * Kills the database around one of the next queries by which events are placed, and statements entered and signed: just before it
 * is sent, or just after.
 */
function killAround(query: number, moment: "before" | "after"): Promise<string> {
  const send = pg.Client.prototype.query as Send;
  let left = query;
  return new Promise((done) => {
    const counted: Send = function (...args) {
      const [config] = args as [string | { name?: string; text?: string }];
      const text = typeof config === "string" ? config : (config.text ?? "");
      const name = typeof config === "string" ? config : (config.name ?? "");
      if (!/^(log|record)\.|^COMMIT$/.test(name) || /^record\.lo/.test(name) || left-- !== 0)
        return send.apply(this, args);
      Object.assign(pg.Client.prototype, { query: send });
      if (moment === "before") killDatabase();
      const sent = send.apply(this, args);
      if (moment === "after") killDatabase();
      done(text);
      return sent;
    };
    Object.assign(pg.Client.prototype, { query: counted });
  });
}

function killDatabase(): void {
  const postmaster = readPostmaster(join(databaseFolder, "cluster"));
  assert.ok(postmaster);
  process.kill(postmaster.pid, "SIGKILL");
}

/** Until the database is there again, and every process of the service has noticed. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 100) throw error;
      await database.ensureRunning();
      await delay(50);
    }
  }
}

let batches = 0;
const write = () => writeStatements(pool(), { count: 300, chains: 7, prefix: `tsk_b${batches++}x` });

test(`the log is one history over ${CRASHES} crashes of the database at different points of its work`, {
  timeout: 900_000,
}, async () => {
  const history = new LogHistory();
  await write();
  await entered();
  await signCheckpoint(new Date());
  await history.note();
  const points = new Set<string>();
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const killed = killAround(crash * STEP, crash % 2 === 0 ? "after" : "before");
    let isOver = false;
    const point = killed.finally(() => {
      isOver = true;
    });
    await insist(write);
    while (!isOver) {
      await insist(entered);
      await insist(() => signCheckpoint(new Date()));
      // All of one cycle is done, and the point lies in the next one.
      if (!isOver) await insist(write);
    }
    points.add(`${crash % 2} ${await point}`);
    await database.ensureRunning();
    await insist(history.note.bind(history));
    await insist(entered);
    await insist(() => signCheckpoint(new Date()));
    await insist(history.note.bind(history));
  }
  await history.check();
  if (process.env.DATABASE_CRASHES) console.log(`${points.size} different points in ${CRASHES} crashes`);
});

test("a database that was restored from before the last checkpoint is caught at the start, and nothing is signed", async () => {
  await record.stop();
  await closeDatabase();
  const name = new URL(service.url).pathname.slice(1);
  await query(database.superuserUrl(), `CREATE DATABASE ${name}_older TEMPLATE ${name}`);
  record = startRecord();
  await write();
  await entered();
  assert.ok(await signCheckpoint(new Date()));
  await record.stop();
  await closeDatabase();

  const older = Object.assign(new URL(database.superuserUrl()), { pathname: `/${name}_older` }).href;
  Object.assign(process.env, { DATABASE_URL: older });
  (globalThis as { guildhallEnv?: unknown }).guildhallEnv = undefined;
  const before = await readLogs();
  const signing = await startSigning();
  const [log] = await readLogs();
  await signing.stop();
  assert.match(log?.refusal ?? "", /does not continue what this log signed: \d+ entries were signed/);
  assert.equal(log?.signed?.size, before[0]?.signed?.size);
});
