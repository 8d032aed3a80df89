import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { withClient } from "#lib/db/with-client.ts";
import { hashLeaf, verifyInclusion } from "#sdk/tlog/merkle.ts";
import { Tile } from "#sdk/tlog/tiles.ts";
import { testService } from "#testing/client.ts";
import { LogHistory, published } from "#testing/log/history.ts";
import { entered } from "#testing/log/signed-log.ts";
import { writeStatements } from "#testing/log/statements.ts";
import { fc, SEED } from "#testing/seed.ts";
import { startRecord } from "../record.ts";
import { query } from "./connection.ts";
import { beginLog } from "./enter.ts";
import { type Leaf, proveLeaves } from "./prove.ts";
import { signCheckpoint } from "./sign.ts";
import { readNamed, rootAt } from "./tree.ts";

/** How often the signing process is killed; `LOG_KILLS=25` for the long run. */
const KILLS = Number(process.env.LOG_KILLS ?? 2);
/** How many statements the tree gets; `LOG_STATEMENTS=1000000` for the long run, which prints its figures. */
const STATEMENTS = Number(process.env.LOG_STATEMENTS ?? 3_000);
const PROOFS = process.env.LOG_STATEMENTS ? 1_000 : 50;

const ROOT = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "guildhall-endurance-"));
const service = testService({ DATA_DIR: folder, OWN_DATABASE: "1", BASE_URL: "https://test.example" }, async () => {
  await beginLog();
  return () => rmSync(folder, { recursive: true });
});

async function signing(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["testing/processes/log-process.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}

/** A process may be killed while the database still runs what it sent last. */
async function isDatabaseBusy(): Promise<boolean> {
  const { rowCount } = await pool().query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
  );
  return rowCount !== 0;
}

test(`the log is one history over ${KILLS} kills of the process that enters and signs`, {
  timeout: 900_000,
}, async () => {
  const moments = fc.sample(fc.integer({ min: 20, max: 2_600 }), { numRuns: KILLS, seed: SEED });
  const history = new LogHistory();
  for (const moment of moments) {
    const child = await signing();
    const end = performance.now() + moment;
    while (performance.now() < end) {
      await history.note();
      await delay(40);
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    while (await isDatabaseBusy()) await delay(20);
    await history.note();
  }
  const record = startRecord();
  try {
    await entered();
  } finally {
    await record.stop();
  }
  await signCheckpoint(new Date());
  await history.note();
  await history.check();
});

test(`with ${STATEMENTS} statements a new one is soon signed, and any leaf is soon proved`, {
  timeout: 3_600_000,
}, async () => {
  const record = startRecord();
  const figures: Record<string, number> = {};
  const timed = async <Result>(name: string, work: () => Promise<Result>) => {
    const began = performance.now();
    const result = await work();
    figures[name] = performance.now() - began;
    return result;
  };
  try {
    await timed("write", async () => {
      for (let left = STATEMENTS, part = 0; left > 0; left -= 10_000, part += 1)
        await writeStatements(pool(), { count: Math.min(left, 10_000), chains: 1_000, prefix: `tsk_p${part}x` });
    });
    await timed("enter the rest", entered);
    await signCheckpoint(new Date());
    await timed("write, enter and sign one more", async () => {
      await writeStatements(pool(), { count: 1, chains: 1, prefix: "tsk_lastx" });
      await entered();
      assert.ok(await signCheckpoint(new Date()));
    });
  } finally {
    await record.stop();
  }
  const head = (await published()) ?? assert.fail();
  const leaves = fc.sample(fc.integer({ min: 0, max: head.size - 1 }), { numRuns: PROOFS, seed: SEED });
  for (const turn of ["first", "again"]) {
    const wall: number[] = [];
    const cpu: number[] = [];
    for (const index of leaves) {
      const leaf = await leafAt(index);
      const began = performance.now();
      const before = process.cpuUsage();
      const [proof] = await proveLeaves(1, head, [leaf]);
      const { user, system } = process.cpuUsage(before);
      wall.push(performance.now() - began);
      cpu.push((user + system) / 1_000);
      assert.ok(proof && verifyInclusion(hashLeaf(leaf.entry), index, head.size, proof, head.root), `leaf ${index}`);
    }
    for (const [name, times] of Object.entries({ wall, cpu }))
      for (const percent of [50, 99, 100]) figures[`proof, ${turn}, ${name} p${percent}`] = percentile(times, percent);
  }
  if (process.env.LOG_STATEMENTS)
    console.log(
      Object.entries(figures)
        .map(([name, ms]) => `${name}: ${ms.toFixed(1)} ms`)
        .join("\n"),
    );
});

async function leafAt(index: number): Promise<Leaf> {
  const [row] = await query<{ hash: Buffer }>(
    "SELECT hash FROM log_leaves l JOIN log_statements s USING (event_seq) WHERE tree = 1 AND leaf = $1",
    [index],
  );
  return { index, entry: row?.hash ?? assert.fail(`leaf ${index}`) };
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}

test("nothing that was read of one tree is used to prove a leaf of another", async () => {
  const head = (await published()) ?? assert.fail();
  const leaf = await leafAt(0);
  await proveLeaves(1, head, [leaf]);
  // Another history with the same first leaf, as in a database that was restored while this process runs.
  const [first, above] = await Promise.all([0, 1].map((level) => readNamed(query, 1, [{ level, index: 0 }])));
  const hashes = first?.[0]?.hashes.fill(7, 32) ?? assert.fail();
  const parents = above?.[0]?.hashes ?? assert.fail();
  parents.set(new Tile(hashes).nodeHash(8, 0) ?? assert.fail());
  await withClient(service.ownerUrl, async (owner) => {
    await owner.query("ALTER TABLE log_tiles DISABLE TRIGGER log_tiles_only_grow");
    for (const [level, bytes] of [hashes, parents].entries())
      await owner.query("UPDATE log_tiles SET hashes = $2 WHERE level = $1 AND index = 0", [level, Buffer.from(bytes)]);
  });
  const root = await rootAt(query, 1, head.size);
  assert.notDeepEqual(root, head.root);
  const [proof] = await proveLeaves(1, { size: head.size, root }, [leaf]);
  assert.ok(proof && verifyInclusion(hashLeaf(leaf.entry), 0, head.size, proof, root));
});
