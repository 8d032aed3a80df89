import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request as open } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { putUrl, sha256Of, stored } from "#testing/files.ts";
import { newFolder } from "#testing/folder.ts";
import { type ApiProcess, request, startApiProcess } from "#testing/processes/processes.ts";
import { taskAt, type Work } from "#testing/workflow.ts";
import { sweepFiles } from "./sweep.ts";

/** Kills of each kind at each point: `KILL_ROUNDS=10 KILL_POINTS=25` for the whole course. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const POINTS = Number(process.env.KILL_POINTS ?? 5);

const folder = newFolder();
let parties: { requester: TestAgent; provider: TestAgent };
const service = testService({ FILES_DIR: folder }, async () => {
  parties = { requester: await verifiedAgent(), provider: await verifiedAgent() };
});

const start = (): Promise<ApiProcess> =>
  startApiProcess({ DATABASE_URL: service.url, FILES_DIR: folder, RATE_LIMIT_SCALE: "0" });
const BYTES = Buffer.alloc(2 * 1024 * 1024, "a file that is cut somewhere. ");
/** How long a whole upload takes in a process that has just started, however busy the machine is. */
async function uploadMs(): Promise<number> {
  const process = await start();
  const work = await taskAt("in_progress", parties, { amountPence: 0 });
  const began = performance.now();
  assert.equal(await upload(process.url, work, 1), 201);
  const took = performance.now() - began;
  await process.kill();
  return took;
}

/** Sends an upload, the last piece at `from`, and settles when it is answered or the connection ends. */
function upload(url: string, work: Work, share: number): Promise<number | undefined> {
  return new Promise((done) => {
    const sent = open(new URL(putUrl(parties.provider, { taskId: work.taskId, purpose: "result" }), url), {
      method: "PUT",
      headers: { Authorization: `Bearer ${parties.provider.token}`, "Content-Length": BYTES.length },
    });
    sent.on("response", (response) => response.resume().once("end", () => done(response.statusCode)));
    sent.on("error", () => done(undefined));
    const cut = Math.floor(BYTES.length * share);
    sent.write(BYTES.subarray(0, cut));
    if (share >= 1) sent.end();
  });
}

async function act(url: string, path: string, fields: object): Promise<number | undefined> {
  const { publicId, token } = parties.provider;
  return request(url, "POST", path, { token, fields: { public_id: publicId, ...fields } }).then(
    ({ status }) => status,
    () => undefined,
  );
}

const KINDS = ["an upload under way", "an upload at its end", "a submission", "a removal"] as const;
type Kind = (typeof KINDS)[number];

/** Makes everything ready for an act. @returns what begins it, and answers with its status if it was answered */
async function ready(kind: Kind, url: string, share: number) {
  const work = await taskAt("in_progress", parties, { amountPence: 0 });
  if (kind === "an upload under way" || kind === "an upload at its end")
    return { kind, work, begin: () => upload(url, work, kind === "an upload under way" ? share : 1) };
  assert.equal(await upload(url, work, 1), 201);
  const { rows } = await pool().query("SELECT id FROM files WHERE task_id = $1", [work.taskId]);
  const [{ id }] = rows;
  return {
    ...{ kind, work },
    begin: () =>
      kind === "a submission"
        ? act(url, "jobs/submit.php", { task_id: work.taskId, result: "R", files: [id] })
        : act(url, "jobs/remove_file.php", { file_id: id }),
  };
}

/** What a crash may never leave: a file without its bytes. */
async function requireWhole(): Promise<void> {
  const { rows } = await pool().query("SELECT DISTINCT sha256, size FROM files WHERE state = 'kept'");
  for (const { sha256, size } of rows) {
    const bytes = readFileSync(join(folder, sha256.slice(7, 9), sha256.slice(7)));
    assert.deepEqual([sha256Of(bytes), bytes.length], [sha256, size]);
  }
}

/** What was answered has happened, and a submission happens as a whole. */
async function requireAnswered(kind: Kind, { taskId }: Work, status: number | undefined): Promise<void> {
  const { rows } = await pool().query(
    `SELECT f.state, f.submitted_at, t.state AS task, t.result_files FROM tasks t LEFT JOIN files f ON f.task_id = t.id WHERE t.id = $1`,
    [taskId],
  );
  const [{ state, submitted_at, task, result_files }] = rows;
  if (status === 201) assert.equal(state, "kept");
  if (kind === "a submission") assert.equal(task === "submitted", submitted_at !== null && result_files !== null);
  if (kind === "a removal" && status === 200) assert.equal(state, "removed");
}

test(`kill -9 during ${KINDS.join(", ")} leaves whole files or none, and what is left over goes within the hour`, async (t) => {
  let cut = 0;
  const wholeMs = await uploadMs();
  // One in advance, because starting takes longer than anything else here.
  let next = start();
  for (let round = 0; round < ROUNDS * POINTS; round += 1) {
    const point = round % POINTS;
    const process = await next;
    next = start();
    const acts = await Promise.all(KINDS.map((kind) => ready(kind, process.url, (point + 1) / (POINTS + 1))));
    const pending = Promise.all(acts.map(({ begin }) => begin()));
    // From before the last byte is sent until after the answer.
    await delay((point * 1.5 * wholeMs) / POINTS);
    await process.kill();
    const statuses = await pending;
    await requireWhole();
    for (const [at, { kind, work }] of acts.entries()) await requireAnswered(kind, work, statuses[at]);
    cut += statuses.filter((status) => status === undefined).length;
  }
  await (await next).kill();
  const inAnHour = new Date(Date.now() + 3_600_000);
  await configure();
  await sweepFiles({ actor: { kind: "system", id: "test" }, clock: { now: () => inAnHour }, requestId: "req_t" });
  await requireWhole();
  const { rows: left } = await pool().query(
    "SELECT (SELECT count(*)::int FROM files WHERE state = 'uploading') AS uploading, (SELECT coalesce(sum(size), 0) FROM files WHERE state <> 'removed') AS used, (SELECT coalesce(max(bytes), 0) FROM file_totals) AS counted",
  );
  assert.deepEqual([left[0].uploading, left[0].counted], [0, left[0].used]);
  const { rows: kept } = await pool().query("SELECT DISTINCT sha256 FROM files WHERE state = 'kept' ORDER BY 1");
  assert.deepEqual(stored(folder), { contents: kept.map(({ sha256 }) => sha256), drafts: 0 });
  t.diagnostic(`${cut} of ${ROUNDS * POINTS * KINDS.length} were cut off`);
});
