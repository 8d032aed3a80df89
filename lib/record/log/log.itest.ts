import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { commandLineContext } from "#lib/admin/context.ts";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { beginAnotherLog } from "#lib/admin/log.ts";
import { apiListener } from "#lib/api/listener.ts";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { expireDueTasks } from "#lib/tasks/advance.ts";
import { call, outcome, startTestService } from "#lib/testing/client.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#lib/testing/factories.ts";
import { writeStatements } from "#lib/testing/statements.ts";
import { expire, perform, taskAt } from "#lib/testing/workflow.ts";
import { toBase64 } from "#sdk/bytes.ts";
import { openCheckpoint } from "#sdk/tlog/checkpoint.ts";
import { EMPTY_ROOT, foldTree, hashLeaf } from "#sdk/tlog/merkle.ts";
import { parseVkey } from "#sdk/tlog/note.ts";
import { entriesIn, hashesIn } from "#sdk/tlog/tiles.ts";
import { formatAddCheckpoint } from "#sdk/tlog/witness.ts";
import { verifyEvidence } from "#sdk/verify/verify.ts";
import type { Evidence } from "../evidence/schema.ts";
import { startRecord } from "../record.ts";
import { beginLog } from "./begin.ts";
import { SigningRefused } from "./places.ts";
import { newPrivateKey } from "./private-key.ts";
import { addCosignatures, recordAhead, signCheckpoint } from "./sign.ts";
import { askWitnesses } from "./witnesses.ts";

const folder = mkdtempSync(join(tmpdir(), "guildhall-log-"));
let service: Awaited<ReturnType<typeof startTestService>>;
let record: ReturnType<typeof startRecord>;
let requester: TestAgent;
let provider: TestAgent;
let http: Server;
let url = "";
before(async () => {
  service = await startTestService({ DATA_DIR: folder, OWN_DATABASE: "1", BASE_URL: "https://guild.example" });
  await beginLog();
  record = startRecord();
  [requester, provider] = [await verifiedAgent(), await verifiedAgent()];
  http = createServer(apiListener());
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
after(async () => {
  http.close();
  await record.stop();
  await service.stop();
  delete process.env.OWN_DATABASE;
  rmSync(folder, { recursive: true });
});

/** Waits until every statement is in the tree. */
async function entered(): Promise<void> {
  for (;;) {
    const { rows } = await pool().query(
      "SELECT (SELECT count(*) FROM log_statements) = (SELECT size FROM log_trees ORDER BY id DESC LIMIT 1) AS done",
    );
    if (rows[0].done) return;
    await delay(20);
  }
}

async function signed() {
  await entered();
  return signCheckpoint(new Date());
}

const keyOf = async (): Promise<string> =>
  (await pool().query("SELECT vkey FROM log_trees ORDER BY id DESC LIMIT 1")).rows[0].vkey;

async function evidenceOf(taskId: string, agent?: TestAgent) {
  const query = { task_id: taskId, ...(agent ? { public_id: agent.publicId } : {}) };
  return call<Evidence>("GET", "/api/v1/jobs/evidence.php", { query, ...(agent ? { token: agent.token } : {}) });
}

test("a completed task leaves a file that proves every step, for its parties with the texts", async () => {
  const { taskId } = await taskAt("completed", { requester, provider });
  const unsigned = await evidenceOf(taskId, requester);
  assert.equal((await verifyEvidence(unsigned.body)).verdict, "consistent");
  await signed();
  const { body, headers } = await evidenceOf(taskId, provider);
  assert.equal(headers.get("content-disposition"), `attachment; filename="evidence-${taskId}.json"`);
  const report = await verifyEvidence(body, { key: await keyOf() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.deepEqual(
    body.statements.map((statement) => ("event" in statement ? statement.event : "")),
    [
      "task.created",
      "task.claimed",
      "contract.proposed",
      "contract.accepted",
      "contract.accepted",
      "settlement.recorded",
      "payment.confirmed",
      "task.started",
      "task.submitted",
      "task.completed",
      "settlement.approved",
    ],
  );
  assert.equal(Object.keys(body.attachments.terms).length, 1);
  assert.equal(body.attachments.result?.text, "Three words.");
  assert.equal(statSync(join(folder, "log/log-1.key")).mode & 0o777, 0o600);
});

test("outsiders get the statements of a listed task without its texts, and of an unlisted one nothing", async () => {
  const stranger = await verifiedAgent();
  const listed = await taskAt("submitted", { requester, provider });
  const unlisted = await taskAt("submitted", { requester, provider }, { task: { visibility: "unlisted" } });
  await signed();
  const none = { terms: {}, brief: null, result: null };
  for (const agent of [undefined, stranger]) {
    const { body } = await evidenceOf(listed.taskId, agent);
    assert.deepEqual(body.attachments, none);
    assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
    const hidden = await evidenceOf(unlisted.taskId, agent);
    const unknown = await evidenceOf("tsk_2222222222222222222222", agent);
    assert.deepEqual([hidden.status, hidden.error], [404, unknown.error]);
  }
  const { body } = await evidenceOf(unlisted.taskId, requester);
  assert.notDeepEqual(body.attachments, none);
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
});

test("an identity's file tells when its domain was verified, and a hidden identity has none", async () => {
  await signed();
  const { body } = await call<Evidence>("GET", "/api/v1/agents/evidence.php", {
    query: { public_id: provider.publicId },
  });
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
  assert.deepEqual(
    body.statements.map((statement) => "event" in statement && [statement.event, Object.keys(statement.facts)]),
    [["identity.verified", ["domain"]]],
  );
  const hidden = await registerAgent({ public_profile: false });
  const answer = await call("GET", "/api/v1/agents/evidence.php", { query: { public_id: hidden.publicId } });
  assert.equal(answer.status, 404);
});

test("an erased statement leaves its hash, and the file still verifies", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  await signed();
  await pool().query("UPDATE log_statements SET statement = NULL, text_salt = NULL WHERE chain = $1 AND n = 1", [
    taskId,
  ]);
  const { body } = await evidenceOf(taskId, requester);
  assert.deepEqual([Object.keys(body.statements[0] ?? {}), body.attachments.brief], [["n", "erased"], null]);
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
  await assert.rejects(pool().query("UPDATE log_statements SET n = 7 WHERE chain = $1", [taskId]), /never changed/);
  await assert.rejects(pool().query("DELETE FROM log_statements WHERE chain = $1", [taskId]), /never changed/);
});

test("an expiry, which is recorded for many tasks at once, is in the log too", async () => {
  const { taskId } = await taskAt("open", { requester, provider });
  await expire(taskId);
  await expireDueTasks({ actor: { kind: "system", id: "test" }, clock: systemClock, requestId: "req_test" });
  await signed();
  const { body } = await evidenceOf(taskId, requester);
  assert.equal((await verifyEvidence(body, { key: await keyOf() })).verdict, "proved");
  assert.deepEqual(
    body.statements.map((statement) => "event" in statement && statement.event),
    ["task.created", "task.expired"],
  );
});

test("one process signs at a time, and the same state is signed once", async () => {
  await signed();
  assert.equal(await signCheckpoint(new Date()), undefined);
  await taskAt("open", { requester, provider });
  await entered();
  const attempts = await Promise.all([1, 2, 3].map(() => signCheckpoint(new Date())));
  assert.equal(attempts.filter(Boolean).length, 1);
});

test("the log is served as tiles that match its signed checkpoint, and nothing beyond it", async () => {
  await signed();
  const get = async (path: string) => {
    const response = await fetch(`${url}/log/${path}`);
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
  assert.equal((await fetch(`${url}/log/checkpoint`, { method: "POST" })).status, 405);
  assert.equal((await fetch(`${url}/log/checkpoint`, { method: "HEAD" })).status, 200);
});

test("a witness cosigns what extends its last view, and refuses everything else", async () => {
  const settings = (names: Record<string, string>) => {
    Object.assign(process.env, names);
    (globalThis as { guildhallEnv?: unknown }).guildhallEnv = undefined;
  };
  await signed();
  assert.equal((await fetch(`${url}/witness/key`)).status, 404);
  settings({ WITNESS_LOGS: `guild.example/log ${await keyOf()}` });
  try {
    const vkey = (await (await fetch(`${url}/witness/key`)).text()).trimEnd();
    const witness = parseVkey(vkey) ?? assert.fail();
    assert.deepEqual([witness.name, witness.type], ["guild.example/witness", 4]);
    settings({ LOG_WITNESSES: `${url}/witness ${vkey}` });
    const cosigned: string[] = [];
    for (const _ of [1, 2]) {
      await taskAt("claimed", { requester, provider });
      const checkpoint = (await signed()) ?? assert.fail();
      const lines = await askWitnesses(checkpoint);
      assert.match(lines, /^— guild\.example\/witness /);
      await addCosignatures(checkpoint, lines);
      cosigned.push(checkpoint.note);
    }
    const { taskId } = await taskAt("open", { requester, provider });
    const { note: newest, size, tree } = (await signed()) ?? assert.fail();
    await askWitnesses({ note: newest, size, tree, root: EMPTY_ROOT });
    const { body } = await evidenceOf(taskId);
    const report = await verifyEvidence(body, { key: await keyOf(), witnesses: [vkey] });
    assert.equal(report.verdict, "proved");
    const send = async (text: string) => {
      const response = await fetch(`${url}/witness/add-checkpoint`, { method: "POST", body: text });
      return [response.status, await response.text(), response.headers.get("content-type")] as const;
    };
    const [first = ""] = cosigned;
    const [status, known, type] = await send(formatAddCheckpoint({ oldSize: 0, proof: [], checkpointText: newest }));
    assert.deepEqual([status, known, type], [409, `${size}\n`, "text/x.tlog.size"]);
    const body422 = formatAddCheckpoint({ oldSize: size, proof: [EMPTY_ROOT], checkpointText: newest });
    assert.equal((await send(body422))[0], 422);
    assert.equal((await send(formatAddCheckpoint({ oldSize: size, proof: [], checkpointText: first })))[0], 400);
    assert.equal((await send(formatAddCheckpoint({ oldSize: size, proof: [], checkpointText: newest })))[0], 200);
    assert.equal(
      (
        await send(
          formatAddCheckpoint({ oldSize: 0, proof: [], checkpointText: newest.replace(`\n${size}\n`, "\n1\n") }),
        )
      )[0],
      403,
    );
    assert.equal(
      (
        await send(
          formatAddCheckpoint({
            oldSize: 0,
            proof: [],
            checkpointText: newest.replace("guild.example/log\n", "other\n"),
          }),
        )
      )[0],
      404,
    );
    assert.equal((await send("nonsense"))[0], 400);
    assert.equal((await send("x".repeat(70_000)))[0], 413);

    // The witness saw more than this folder says was signed: the folder is an old copy.
    const file = join(folder, "log/log-1.state");
    const kept = readFileSync(file, "utf8");
    await recordAhead(tree, { witness: vkey, size: size + 1 });
    await assert.rejects(signCheckpoint(new Date()), /more than were signed here/);
    writeFileSync(file, kept);
    await signCheckpoint(new Date());
  } finally {
    settings({ WITNESS_LOGS: "", LOG_WITNESSES: "" });
  }
});

test("a database that went back behind what was signed is refused, whatever is written to it then", async () => {
  await taskAt("open", { requester, provider });
  const { size, root } = (await signed()) ?? assert.fail();
  const file = join(folder, "log/log-1.state");
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
  const key = join(folder, "log/log-1.key");
  renameSync(key, `${key}.lost`);
  await assert.rejects(signCheckpoint(new Date()), /key is missing/);
  assert.equal(existsSync(key), false);
  renameSync(`${key}.lost`, key);
  assert.equal(await signCheckpoint(new Date()), undefined);
  assert.equal(await reason(), null);
});

test("after a split, the file has the share of what was awarded, and follows the policy in the terms", async () => {
  const work = await taskAt("submitted", { requester, provider });
  const disputed = await perform(requester, "dispute", work);
  const disputeId = (disputed.body as { dispute: { dispute_id: string } }).dispute.dispute_id;
  const providerPence = Math.floor(work.amountPence / 2);
  await resolveDispute(commandLineContext("Grace"), {
    disputeId,
    resolution: "split",
    providerPence,
    reason: "Half is done",
  });
  await signed();
  const { body } = await evidenceOf(work.taskId, provider);
  const report = await verifyEvidence(body, { key: await keyOf() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  const facts = body.statements.flatMap((each) =>
    "event" in each && each.event === "settlement.approved" ? [each.facts] : [],
  );
  assert.equal(facts[0]?.awarded_pence, providerPence);
  assert.equal(Number(facts[0]?.fee_pence) + Number(facts[0]?.net_pence), providerPence);
});

test("a party signs its acceptance and its result with its published key, and the file proves it", async () => {
  const pair = generateKeyPairSync("ed25519");
  const jwk = pair.publicKey.export({ format: "jwk" });
  const signed64 = (lines: string[]) =>
    sign(null, Buffer.from(lines.map((line) => `${line}\n`).join("")), pair.privateKey).toString("base64url");
  const publish = (agent: TestAgent, key: object | null) =>
    call("POST", "/api/v1/agents/profile.php", {
      token: agent.token,
      body: { public_id: agent.publicId, signing_key: key },
    });
  const unverified = await registerAgent();
  assert.equal(outcome(await publish(unverified, jwk)), "403 gate_refused");
  assert.equal(outcome(await publish(provider, { ...jwk, crv: "X25519" })), "422 invalid_input");
  const work = await taskAt("proposed", { requester, provider });
  const acceptance = signed64(["guildhall.accept/1", "guild.example/log", work.contractId, work.termsHash]);
  assert.equal(outcome(await perform(provider, "accept", work, { signature: acceptance })), "422 invalid_input");
  const published = await publish(provider, { ...jwk, use: "sig" });
  assert.deepEqual((published.body as { identity: { signing_key: unknown } }).identity.signing_key, jwk);
  const wrong = signed64(["guildhall.accept/1", "guild.example/log", work.contractId, `sha256:${"0".repeat(64)}`]);
  assert.equal(outcome(await perform(provider, "accept", work, { signature: wrong })), "422 invalid_input");
  assert.equal(outcome(await perform(provider, "accept", work, { signature: acceptance })), "200");
  assert.equal(outcome(await perform(requester, "accept", work)), "200");
  for (const [agent, verb] of [
    [requester, "fund"],
    [requester, "confirm"],
    [provider, "start"],
  ] as const)
    await perform(agent, verb, work);
  const evidence = `sha256:${"1".repeat(64)}`;
  const result = signed64(["guildhall.submit/1", "guild.example/log", work.taskId, evidence]);
  assert.equal(outcome(await perform(provider, "submit", work, { signature: result })), "422 invalid_input");
  assert.equal(outcome(await perform(provider, "submit", work, { signature: result, evidence_hash: evidence })), "200");
  await signed();
  const { body } = await evidenceOf(work.taskId, requester);
  const report = await verifyEvidence(body, { key: await keyOf() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.equal(report.proved.filter((line) => line.includes(`was signed with the key ${jwk.x}`)).length, 2);
  assert.equal(outcome(await publish(provider, null)), "200");
  const shown = await call<{ agent: { signing_key: unknown } }>("GET", "/api/v1/agents/show.php", {
    query: { public_id: provider.publicId },
  });
  assert.equal(shown.body.agent.signing_key, null);
});

test("a long chain is sent in pieces, whole and with all its proofs", async () => {
  const LONG = 2_100;
  const { taskId } = await taskAt("claimed", { requester, provider });
  await writeStatements(pool(), { count: LONG, chain: taskId });
  await signed();
  const { body, headers } = await evidenceOf(taskId, requester);
  assert.equal(headers.get("content-disposition"), `attachment; filename="evidence-${taskId}.json"`);
  assert.deepEqual([body.statements.length, body.proofs.length], [LONG + 2, LONG + 2]);
  assert.equal(typeof body.attachments.brief?.text, "string");
  const report = await verifyEvidence(body, { key: await keyOf() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
});

test("after a restart of the log every statement is in the new one, and the old one stays readable", async () => {
  const { taskId } = await taskAt("claimed", { requester, provider });
  await signed();
  const oldKey = await keyOf();
  const { rows } = await pool().query("SELECT count(*)::int AS count FROM log_statements");
  const ctx = commandLineContext("Grace");
  const restarted = await beginAnotherLog(ctx, { reason: "The key was lost" });
  assert.deepEqual(restarted, {
    origin: "guild.example/log/2",
    previous: "guild.example/log",
    statements: rows[0].count,
  });
  assert.equal((await evidenceOf(taskId, requester)).body.log.vkey, null);
  await signCheckpoint(new Date());
  const { body } = await evidenceOf(taskId, requester);
  assert.deepEqual(body.log.previous, [{ origin: "guild.example/log", vkey: oldKey }]);
  assert.deepEqual(
    body.statements.map((statement) => "log" in statement && statement.log),
    ["guild.example/log", "guild.example/log"],
  );
  const report = await verifyEvidence(body, { key: await keyOf() });
  assert.deepEqual([report.verdict, report.problems], ["proved", []]);
  assert.notEqual(await keyOf(), oldKey);
  assert.equal((await verifyEvidence(body, { key: oldKey })).verdict, "broken");
  for (const path of [
    "/log/checkpoint",
    "/log/key",
    "/log/2/checkpoint",
    "/log/2/key",
    "/log/tile/0/000.p/1",
    "/log/2/tile/0/000.p/1",
  ])
    assert.equal((await fetch(url + path)).status, 200, path);
  const later = await taskAt("claimed", { requester, provider });
  await signed();
  const next = await evidenceOf(later.taskId, requester);
  assert.equal((await verifyEvidence(next.body, { key: await keyOf() })).verdict, "proved");
});

test("with a database that others share, signing needs a key and a folder that they share too", async () => {
  const { origin } = await beginAnotherLog(commandLineContext("Grace"), { reason: "Another key" });
  const configured = (names: Record<string, string>) => {
    Object.assign(process.env, { OWN_DATABASE: "", LOG_STATE_DIR: "", LOG_SIGNING_KEY: "", ...names });
    (globalThis as { guildhallEnv?: unknown }).guildhallEnv = undefined;
    return signCheckpoint(new Date());
  };
  const LOG_STATE_DIR = join(folder, "shared");
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
    await assert.rejects(configured({ LOG_STATE_DIR: join(folder, "own"), LOG_SIGNING_KEY }), /missing here/);
    await assert.rejects(
      configured({ LOG_STATE_DIR, LOG_SIGNING_KEY: newPrivateKey(origin, 1) }),
      /not the key with which/,
    );
    assert.equal(await configured({ LOG_STATE_DIR, LOG_SIGNING_KEY }), undefined);
  } finally {
    Object.assign(process.env, { OWN_DATABASE: "1", LOG_STATE_DIR: "", LOG_SIGNING_KEY: "" });
    (globalThis as { guildhallEnv?: unknown }).guildhallEnv = undefined;
  }
});
