import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { commandLineContext } from "#lib/admin/context.ts";
import { beginAnotherLog } from "#lib/admin/transparency-log.ts";
import { readyz } from "#lib/api/probes.ts";
import { pool } from "#lib/db/client.ts";
import { toBase64 } from "#sdk/bytes.ts";
import { openCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { EMPTY_ROOT, foldTree, hashLeaf } from "#sdk/tlog/merkle.ts";
import { parseVkey } from "#sdk/tlog/note.ts";
import { entriesIn, hashesIn } from "#sdk/tlog/tiles.ts";
import { formatAddCheckpoint } from "#sdk/tlog/witness.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import { forFile } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { settled } from "#testing/events.ts";
import { entered, evidenceOf, logKey, signed, startSignedLog } from "#testing/log/signed-log.ts";
import { query } from "#testing/query.ts";
import { postTask, taskAt } from "#testing/workflow.ts";
import { readEvents, recipientsOf } from "../read.ts";
import { newPrivateKey } from "./private-key.ts";
import { readLogs } from "./read.ts";
import { addCosignatures, recordAhead, signCheckpoint, signWhenDue } from "./sign.ts";
import { SigningRefused } from "./signing-setup.ts";
import { askWitnesses } from "./witnesses.ts";

const log = forFile(startSignedLog);
afterEach(() => configure());

test("one process signs at a time, and the same state is signed once", async () => {
  await signed();
  assert.equal(await signCheckpoint(new Date()), undefined);
  await taskAt("open", log);
  await entered();
  const attempts = await Promise.all([1, 2, 3].map(() => signCheckpoint(new Date())));
  assert.equal(attempts.filter(Boolean).length, 1);
});

test("no checkpoint is signed sooner than the period after the last one, whichever process signed that", async () => {
  await signed();
  await taskAt("open", log);
  await entered();
  const { rows } = await pool().query("SELECT max(signed_at) AS last FROM log_checkpoints");
  const later = (ms: number) => new Date(rows[0].last.getTime() + ms);
  assert.equal(await signWhenDue(later(1_999), 2_000), "early");
  assert.equal(typeof (await signWhenDue(later(2_000), 2_000)), "object");
  assert.equal(await signWhenDue(later(2_001), 2_000), undefined);
});

test("the log is served as tiles that match its signed checkpoint, and nothing beyond it", async () => {
  await signed();
  const get = async (path: string) => {
    const response = await fetch(`${log.url}/log/${path}`);
    assert.equal(response.headers.get("access-control-allow-origin"), "*", path);
    return response;
  };
  const key = await get("key");
  assert.match(key.headers.get("cache-control") ?? "", /max-age=3600/);
  const vkey = parseVkey((await key.text()).trimEnd()) ?? assert.fail();
  assert.equal(vkey.name, "guild.example/log");
  const answer = await get("checkpoint");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  const { size, root } = (await openCheckpoint(await answer.text(), vkey)) ?? assert.fail();
  assert.ok(size > 0 && size < 256);
  const tile = await get(`tile/0/000.p/${size}`);
  assert.match(tile.headers.get("cache-control") ?? "", /immutable/);
  const hashes = hashesIn(new Uint8Array(await tile.arrayBuffer()));
  assert.deepEqual(foldTree(hashes), root);
  const bundle = await get(`tile/entries/000.p/${size}`);
  const entries = entriesIn(new Uint8Array(await bundle.arrayBuffer())) ?? assert.fail();
  assert.deepEqual(entries.map(hashLeaf), hashes);
  assert.deepEqual(
    new Uint8Array(await (await get("tile/0/000.p/3")).arrayBuffer()),
    new Uint8Array(Buffer.concat(hashes.slice(0, 3))),
  );
  for (const path of [
    "tile/0/000",
    `tile/0/000.p/${size + 1}`,
    "tile/1/000.p/1",
    "tile/0/001.p/1",
    "tile/00/000.p/1",
    "tile/7/000.p/1",
    "2/checkpoint",
    "1/checkpoint",
    "nothing",
    "tile/0/x999/x999/x999/x999/999",
  ]) {
    const missing = await get(path);
    assert.deepEqual([missing.status, missing.headers.get("cache-control")], [404, "no-store"], path);
  }
  assert.equal((await fetch(`${log.url}/log/checkpoint`, { method: "POST" })).status, 405);
  assert.equal((await fetch(`${log.url}/log/checkpoint`, { method: "HEAD" })).status, 200);
});

test("a database that went back behind what was signed is refused, whatever is written to it then", async () => {
  await taskAt("open", log);
  const { size, root } = (await signed()) ?? assert.fail();
  const file = join(log.folder, "log/log-1.state");
  const state = JSON.parse(readFileSync(file, "utf8"));
  const ahead = { ...state, size: size + 5 };
  writeFileSync(file, JSON.stringify(ahead));
  await assert.rejects(signCheckpoint(new Date()), SigningRefused);
  const reason = async () => (await pool().query("SELECT refusal FROM log_trees")).rows[0].refusal;
  assert.match(await reason(), /does not continue what this log signed/);
  writeFileSync(file, JSON.stringify({ ...state, root: toBase64(new Uint8Array(root).reverse()) }));
  await assert.rejects(signCheckpoint(new Date()), /differ from them/);
  rmSync(file);
  await assert.rejects(signCheckpoint(new Date()), /missing here/);
  writeFileSync(file, "{");
  await assert.rejects(signCheckpoint(new Date()), /damaged/);
  writeFileSync(file, JSON.stringify(state));
  const key = join(log.folder, "log/log-1.key");
  renameSync(key, `${key}.lost`);
  await assert.rejects(signCheckpoint(new Date()), /key is missing/);
  assert.equal(existsSync(key), false);
  renameSync(`${key}.lost`, key);
  assert.equal(await signCheckpoint(new Date()), undefined);
  assert.equal(await reason(), null);
});

test("a witness cosigns what extends its last view, and refuses everything else", async () => {
  await signed();
  assert.equal((await fetch(`${log.url}/witness/key`)).status, 404);
  const WITNESS_LOGS = `guild.example/log ${await logKey()}`;
  await configure({ WITNESS_LOGS });
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

test("while statements cannot be entered in the log, events get their positions; the log says why, and catches up", async () => {
  const start = await settled();
  await query(log.ownerUrl, "ALTER TABLE log_leaves RENAME TO log_leaves_away");
  const reason = async () => (await readLogs())[0]?.refusal;
  const posted: string[] = [];
  for (let each = 0; each < 2; each += 1) posted.push((await postTask(log.requester)).task_id);
  while (!(await reason())) await delay(30);
  assert.match((await reason()) ?? "", /^New entries could not be added to the log since 20.*Z\. /);
  const { details } = await (await readyz()).json();
  assert.deepEqual(details.log, { signed: false, reason: await reason() });
  await settled();
  const { events } = await readEvents(recipientsOf({ kind: "service", id: log.requester.publicId }), {
    after: start,
    limit: 10,
  });
  assert.deepEqual(
    events.map(({ subject }) => subject.id),
    posted,
  );
  await query(log.ownerUrl, "ALTER TABLE log_leaves_away RENAME TO log_leaves");
  await entered();
  assert.equal(await reason(), null);
});

test("after a restart of the log every statement is in the new one, and the old one stays readable", async () => {
  const { taskId } = await taskAt("claimed", log);
  await signed();
  const oldKey = await logKey();
  const { rows } = await pool().query("SELECT count(*)::int AS count FROM log_statements");
  const ctx = commandLineContext("Grace");
  const restarted = await beginAnotherLog(ctx, { reason: "The key was lost" });
  assert.deepEqual(restarted, {
    origin: "guild.example/log/2",
    previous: "guild.example/log",
    statements: rows[0].count,
  });
  assert.equal((await evidenceOf(taskId, log.requester)).body.log.vkey, null);
  await signCheckpoint(new Date());
  const { body } = await evidenceOf(taskId, log.requester);
  assert.deepEqual(body.log.previous, [{ origin: "guild.example/log", vkey: oldKey }]);
  assert.deepEqual(
    body.statements.map((statement) => "log" in statement && statement.log),
    ["guild.example/log", "guild.example/log"],
  );
  const report = await verifyEvidence(body, { key: await logKey() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.notEqual(await logKey(), oldKey);
  assert.equal((await verifyEvidence(body, { key: oldKey })).verdict, "broken");
  for (const path of [
    "/log/checkpoint",
    "/log/key",
    "/log/2/checkpoint",
    "/log/2/key",
    "/log/tile/0/000.p/1",
    "/log/2/tile/0/000.p/1",
  ])
    assert.equal((await fetch(log.url + path)).status, 200, path);
  const later = await taskAt("claimed", log);
  await signed();
  const next = await evidenceOf(later.taskId, log.requester);
  assert.equal((await verifyEvidence(next.body, { key: await logKey() })).verdict, "proved");
});

test("with a database that others share, signing needs a key and a folder that they share too", async () => {
  const { origin } = await beginAnotherLog(commandLineContext("Grace"), { reason: "Another key" });
  const configured = async (variables: Record<string, string>) => {
    await configure({ LOG_STATE_DIR: "", LOG_SIGNING_KEY: "", ...variables });
    return signCheckpoint(new Date());
  };
  const LOG_STATE_DIR = join(log.folder, "shared");
  delete process.env.OWN_DATABASE;
  try {
    await assert.rejects(configured({}), /LOG_STATE_DIR is not set/);
    await assert.rejects(configured({ LOG_STATE_DIR }), /LOG_SIGNING_KEY is not set/);
    const other = newPrivateKey("guild.example/log", 1);
    await assert.rejects(
      configured({ LOG_STATE_DIR, LOG_SIGNING_KEY: other }),
      /is for guild\.example\/log, but this log is/,
    );
    const LOG_SIGNING_KEY = newPrivateKey(origin, 1);
    assert.ok(await configured({ LOG_STATE_DIR, LOG_SIGNING_KEY }));
    // Another process with the key, but with a folder of its own.
    await assert.rejects(configured({ LOG_STATE_DIR: join(log.folder, "own"), LOG_SIGNING_KEY }), /missing here/);
    await assert.rejects(
      configured({ LOG_STATE_DIR, LOG_SIGNING_KEY: newPrivateKey(origin, 1) }),
      /not the key with which/,
    );
    assert.equal(await configured({ LOG_STATE_DIR, LOG_SIGNING_KEY }), undefined);
  } finally {
    process.env.OWN_DATABASE = "1";
    await configure();
  }
});
