import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { EMPTY_ROOT } from "#sdk/tlog/merkle.ts";
import { parseVkey } from "#sdk/tlog/note.ts";
import { formatAddCheckpoint } from "#sdk/tlog/witness.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { configure } from "#testing/configuration.ts";
import { evidenceOf, logKey, type SignedLog, signed, startSignedLog } from "#testing/log/signed-log.ts";
import { taskAt } from "#testing/workflow.ts";
import { addCosignatures, recordAhead, signCheckpoint } from "../log/sign.ts";
import { askWitnesses } from "../log/witnesses.ts";

let log: SignedLog;
before(async () => {
  log = await startSignedLog();
});
after(() => log.stop());

test("a witness cosigns what extends its last view, and refuses everything else", async () => {
  await signed();
  assert.equal((await fetch(`${log.url}/witness/key`)).status, 404);
  const WITNESS_LOGS = `guild.example/log ${await logKey()}`;
  await configure({ WITNESS_LOGS });
  try {
    const vkey = (await (await fetch(`${log.url}/witness/key`)).text()).trimEnd();
    const witness = parseVkey(vkey) ?? assert.fail();
    assert.deepEqual([witness.name, witness.type], ["guild.example/witness", 4]);
    await configure({ WITNESS_LOGS, LOG_WITNESSES: `${log.url}/witness ${vkey}` });
    const cosigned: string[] = [];
    for (const _ of [1, 2]) {
      await taskAt("claimed", log);
      const checkpoint = (await signed()) ?? assert.fail();
      const lines = await askWitnesses(checkpoint);
      assert.match(lines, /^— guild\.example\/witness /);
      await addCosignatures(checkpoint, lines);
      cosigned.push(checkpoint.note);
    }
    const { taskId } = await taskAt("open", log);
    const { note: newest, size, tree } = (await signed()) ?? assert.fail();
    await askWitnesses({ note: newest, size, tree, root: EMPTY_ROOT });
    const { body } = await evidenceOf(taskId);
    const report = await verifyEvidence(body, { key: await logKey(), witnesses: [vkey] });
    assert.equal(report.verdict, "proved");
    const send = async (text: string) => {
      const response = await fetch(`${log.url}/witness/add-checkpoint`, { method: "POST", body: text });
      return [response.status, await response.text(), response.headers.get("content-type")] as const;
    };
    const [first = ""] = cosigned;
    const [status, known, type] = await send(formatAddCheckpoint({ oldSize: 0, proof: [], checkpointText: newest }));
    assert.deepEqual([status, known, type], [409, `${size}\n`, "text/x.tlog.size"]);
    const smaller = newest.replace(`\n${size}\n`, "\n1\n");
    const ofAnother = newest.replace("guild.example/log\n", "other\n");
    for (const [expected, text] of [
      [422, formatAddCheckpoint({ oldSize: size, proof: [EMPTY_ROOT], checkpointText: newest })],
      [400, formatAddCheckpoint({ oldSize: size, proof: [], checkpointText: first })],
      [200, formatAddCheckpoint({ oldSize: size, proof: [], checkpointText: newest })],
      [403, formatAddCheckpoint({ oldSize: 0, proof: [], checkpointText: smaller })],
      [404, formatAddCheckpoint({ oldSize: 0, proof: [], checkpointText: ofAnother })],
      [400, "nonsense"],
      [413, "x".repeat(70_000)],
    ] as const)
      assert.equal((await send(text))[0], expected, text.slice(0, 100));

    // The witness saw more than this folder says was signed: the folder is an old copy.
    const file = join(log.folder, "log/log-1.state");
    const kept = readFileSync(file, "utf8");
    await recordAhead(tree, { witness: vkey, size: size + 1 });
    await assert.rejects(signCheckpoint(new Date()), /more than were signed here/);
    writeFileSync(file, kept);
    await signCheckpoint(new Date());
  } finally {
    await configure();
  }
});

test("a witness that never answers does not delay the cosignature of another, which is added once", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  await signed();
  const WITNESS_LOGS = `guild.example/log ${await logKey()}`;
  await configure({ WITNESS_LOGS });
  try {
    const vkey = (await (await fetch(`${log.url}/witness/key`)).text()).trimEnd();
    const dead = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/witness ${vkey}`;
    await configure({ WITNESS_LOGS, LOG_WITNESSES: `${dead},${log.url}/witness ${vkey}` });
    await taskAt("open", log);
    const checkpoint = (await signed()) ?? assert.fail();
    const taken = Promise.withResolvers<string>();
    let isOver = false;
    const asked = askWitnesses(checkpoint, async (line) => taken.resolve(line)).finally(() => {
      isOver = true;
    });
    const line = await taken.promise;
    assert.equal(isOver, false, "the other witness is still being asked");
    for (const _ of ["once", "twice"]) await addCosignatures(checkpoint, line);
    const { rows } = await pool().query("SELECT note FROM log_checkpoints WHERE tree = $1", [checkpoint.tree.id]);
    assert.equal(rows[0].note, checkpoint.note + line);
    silent.closeAllConnections();
    assert.equal(await asked, line);
  } finally {
    silent.close();
    await configure();
  }
});
