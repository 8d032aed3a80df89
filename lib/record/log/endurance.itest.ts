import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { startTestService } from "#lib/testing/client.ts";
import { LogHistory, published } from "#lib/testing/log-history.ts";
import { fc, SEED } from "#lib/testing/seed.ts";
import { entered } from "#lib/testing/signed-log.ts";
import { writeStatements } from "#lib/testing/statements.ts";
import { hashLeaf, inclusionRanges, verifyInclusion } from "#sdk/tlog/merkle.ts";
import { startRecord } from "../record.ts";
import { beginLog } from "./begin.ts";
import { query } from "./connection.ts";
import { signCheckpoint } from "./sign.ts";
import { readTiles } from "./tree.ts";

/** How often the signing process is killed; `LOG_KILLS=25` for the long run. */
const KILLS = Number(process.env.LOG_KILLS ?? 2);
/** How many statements the tree gets; `LOG_STATEMENTS=1000000` for the long run, which prints its figures. */
const STATEMENTS = Number(process.env.LOG_STATEMENTS ?? 3_000);

const ROOT = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "guildhall-endurance-"));
let service: Awaited<ReturnType<typeof startTestService>>;
before(async () => {
  service = await startTestService({ DATA_DIR: folder, OWN_DATABASE: "1", BASE_URL: "https://test.example" });
  await beginLog();
});
after(async () => {
  await service.stop();
  delete process.env.OWN_DATABASE;
  rmSync(folder, { recursive: true });
});

async function signing(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["lib/testing/log-process.ts"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
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
  const leaves = fc.sample(fc.integer({ min: 0, max: head.size - 1 }), { numRuns: 50, seed: SEED });
  let slowest = 0;
  for (const leaf of leaves) {
    const [row] = await query<{ hash: Buffer }>(
      "SELECT hash FROM log_leaves l JOIN log_statements s USING (event_seq) WHERE tree = 1 AND leaf = $1",
      [leaf],
    );
    const began = performance.now();
    const ranges = inclusionRanges(leaf, head.size);
    const proof = (await readTiles(query, 1, ranges)).hashesOf(ranges);
    slowest = Math.max(slowest, performance.now() - began);
    assert.ok(row && verifyInclusion(hashLeaf(row.hash), leaf, head.size, proof, head.root), `leaf ${leaf}`);
  }
  figures["slowest of 50 proofs"] = slowest;
  if (process.env.LOG_STATEMENTS)
    console.log(
      Object.entries(figures)
        .map(([name, ms]) => `${name}: ${ms.toFixed(0)} ms`)
        .join("\n"),
    );
});
