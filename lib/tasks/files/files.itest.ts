import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { hold } from "#lib/admin/hold.ts";
import { buildOpenApi } from "#lib/api/openapi/openapi.ts";
import { ENDPOINTS, isLive } from "#lib/api/registry.ts";
import { pool } from "#lib/db/client.ts";
import { systemClock } from "#lib/kernel/clock.ts";
import { admin, reason, signedInAdministrator } from "#testing/administrator.ts";
import { call, outcome, testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { callAs, publishOffer, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { get, type Put, put, reprDigestOf, sha256Of, stored } from "#testing/files.ts";
import { task, terms } from "#testing/requests.ts";
import { did, perform, postTask, readTask, taskAt, type Work } from "#testing/workflow.ts";
import type { FileWire } from "./schema.ts";
import { sweepFiles } from "./sweep.ts";

let parties: { requester: TestAgent; provider: TestAgent };
let stranger: TestAgent;
testService({}, async () => {
  parties = { requester: await verifiedAgent(), provider: await verifiedAgent() };
  stranger = await verifiedAgent();
});

const WORDS = "Three plain words.";
const free = { amountPence: 0 };
const at = (state: Parameters<typeof taskAt>[0], fields: object = {}) =>
  taskAt(state, parties, { ...free, task: fields });
async function kept(agent: TestAgent, given: Put): Promise<FileWire> {
  const answer = await put(agent, given);
  assert.equal(answer.status, 201, JSON.stringify(answer.error));
  return answer.file;
}
const list = (agent: TestAgent, taskId: string, fields: object = {}) =>
  callAs<{ files: FileWire[]; next_cursor: string | null }>(agent, "GET", "/api/v1/jobs/files.php", {
    task_id: taskId,
    ...fields,
  });
const remove = (agent: TestAgent, fileId: string) =>
  callAs<{ file: FileWire }>(agent, "POST", "/api/v1/jobs/remove_file.php", { file_id: fileId });
const sweepAt = (time: Date) =>
  sweepFiles({ actor: { kind: "system", id: "test" }, clock: { now: () => time }, requestId: "req_test" });
const later = (seconds: number) => new Date(systemClock.now().getTime() + seconds * 1_000);
const codeOf = (answer: Awaited<ReturnType<typeof put>>) => `${answer.status} ${answer.error?.code ?? ""}`.trim();

test("a file goes in and comes out byte for byte, with headers that no browser runs anything for", async () => {
  const { taskId } = await at("open", { provider_public_id: parties.provider.publicId });
  const bytes = Buffer.from([0, 255, 10, 13, ...Buffer.from("ä")]);
  const name = 'Übung "1" (100 %)*.csv';
  const file = await kept(parties.requester, {
    taskId,
    name,
    bytes,
    headers: { "Content-Type": "Text/CSV; charset=utf-8", "Repr-Digest": `md5=:AAAA:, ${reprDigestOf(bytes)}` },
  });
  const { file_id: id, created_at, ...shown } = file;
  assert.match(id, /^fil_/);
  assert.deepEqual(shown, {
    name,
    size: bytes.length,
    media_type: "text/csv",
    sha256: sha256Of(bytes),
    purpose: "brief",
    state: "kept",
    uploaded_by: parties.requester.publicId,
  });
  const response = await get(parties.provider, id);
  assert.equal(response.status, 200);
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  const expected: Record<string, string> = {
    "Content-Type": "text/csv",
    "Content-Length": String(bytes.length),
    "Content-Disposition": `attachment; filename="_bung _1_ (100 _)*.csv"; filename*=UTF-8''%C3%9Cbung%20%221%22%20%28100%20%25%29%2A.csv`,
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Repr-Digest": reprDigestOf(bytes),
    ETag: `"${sha256Of(bytes)}"`,
  };
  for (const [header, value] of Object.entries(expected)) assert.equal(response.headers.get(header), value, header);
  const added = "SELECT event_data, recipients FROM audit_events WHERE task_id = $1 AND type = 'file.added'";
  const { rows } = await pool().query(added, [taskId]);
  assert.deepEqual(rows, [
    {
      event_data: { file_id: id, purpose: "brief", size: bytes.length, sha256: sha256Of(bytes) },
      recipients: [parties.requester.publicId, parties.provider.publicId],
    },
  ]);
});

test("who has the digest gets 304, and others the range that they ask for", async () => {
  const { taskId } = await at("open");
  const { file_id: id, sha256 } = await kept(parties.requester, { taskId, bytes: "0123456789" });
  const etag = `"${sha256}"`;
  for (const tag of [etag, `W/${etag}`, sha256, sha256.slice(7), reprDigestOf("0123456789"), `"a", ${etag}`, "*"]) {
    const answer = await get(parties.requester, id, { "If-None-Match": tag });
    assert.deepEqual(
      [answer.status, answer.headers.get("cache-control"), await answer.text()],
      [304, "private, no-cache", ""],
    );
  }
  const other = await get(parties.requester, id, { "If-None-Match": '"sha256:00"' });
  assert.deepEqual([other.status, other.headers.get("cache-control")], [200, "no-store"]);
  const ranges: [header: Record<string, string>, status: number, text: string, range: string | null][] = [
    [{ Range: "bytes=0-0" }, 206, "0", "bytes 0-0/10"],
    [{ Range: "bytes=7-" }, 206, "789", "bytes 7-9/10"],
    [{ Range: "bytes=-3" }, 206, "789", "bytes 7-9/10"],
    [{ Range: "bytes=-99" }, 206, "0123456789", "bytes 0-9/10"],
    [{ Range: "bytes=8-99" }, 206, "89", "bytes 8-9/10"],
    [{ Range: "bytes=10-" }, 416, "", "bytes */10"],
    [{ Range: "bytes=-0" }, 416, "", "bytes */10"],
    [{ Range: "bytes=5-2" }, 200, "0123456789", null],
    [{ Range: "bytes=0-1,3-4" }, 200, "0123456789", null],
    [{ Range: "lines=1-2" }, 200, "0123456789", null],
    [{ Range: "bytes=1-2", "If-Range": etag }, 206, "12", "bytes 1-2/10"],
    [{ Range: "bytes=1-2", "If-Range": '"old"' }, 200, "0123456789", null],
  ];
  for (const [headers, status, text, range] of ranges) {
    const answer = await get(parties.requester, id, headers);
    assert.deepEqual(
      [answer.status, await answer.text(), answer.headers.get("content-range")],
      [status, text, range],
      JSON.stringify(headers),
    );
  }
  const head = await get(parties.requester, id, {}, "HEAD");
  assert.deepEqual([head.status, head.headers.get("content-length"), await head.text()], [200, "10", ""]);
});

// What no upload may look like: hostile.itest.ts.
test("a wrong length or a wrong time is refused and leaves nothing", async () => {
  const before = stored();
  const { requester, provider } = parties;
  const open = await at("open");
  const done = await at("completed");
  const held = await at("claimed");
  await hold(admin, { subjectId: held.taskId, reason });
  const refused: [agent: TestAgent, given: Put, code: string][] = [
    [requester, { taskId: open.taskId, headers: { "Content-Length": "3" } }, "422 invalid_input"],
    [requester, { taskId: open.taskId, headers: { "Content-Length": "300" } }, "422 invalid_input"],
    [provider, { taskId: open.taskId }, "403 forbidden"],
    [requester, { taskId: (await at("proposed")).taskId }, "409 state_conflict"],
    [requester, { taskId: done.taskId }, "409 state_conflict"],
    [requester, { taskId: (await at("expired")).taskId }, "410 task_expired"],
    [provider, { taskId: (await at("claimed")).taskId, purpose: "result" }, "409 state_conflict"],
    [provider, { taskId: (await at("submitted")).taskId, purpose: "result" }, "409 state_conflict"],
    [requester, { taskId: held.taskId }, "403 gate_refused"],
    [stranger, { taskId: (await at("open", { visibility: "unlisted" })).taskId }, "404 not_found"],
  ];
  for (const [agent, given, code] of refused)
    assert.equal(codeOf(await put(agent, given)), code, JSON.stringify(given));
  assert.deepEqual(stored(), before);
  const { rows } = await pool().query("SELECT 1 FROM files WHERE state = 'uploading'");
  assert.equal(rows.length, 0);
});

test("names are one line of up to 200 characters, whatever else they look like", async () => {
  const { taskId } = await at("open");
  for (const name of ["ä".repeat(200), "con.txt", ".htaccess", "a b;c&d=e?f#g%2Fh", "📄"]) {
    const { name: shown } = await kept(parties.requester, { taskId, name });
    assert.equal(shown, name);
  }
});

test("the same bytes under the same name are the same file, and others replace it until a submission names it", async () => {
  const { taskId } = await at("open");
  const first = await kept(parties.requester, { taskId });
  assert.deepEqual(await kept(parties.requester, { taskId }), first);
  const second = await kept(parties.requester, { taskId, bytes: "Other words." });
  const { body } = await list(parties.requester, taskId);
  assert.deepEqual(
    body.files.map(({ file_id, state }) => [file_id, state]),
    [
      [second.file_id, "kept"],
      [first.file_id, "removed"],
    ],
  );
  assert.ok(stored().contents.includes(second.sha256));
});

test("only parties can know of files: for everyone else they are as if they did not exist", async () => {
  const { requester, provider } = parties;
  const administrator = await signedInAdministrator();
  for (const visibility of ["listed", "unlisted"]) {
    const work = await at("in_progress", { visibility });
    const { file_id: id } = await kept(provider, { taskId: work.taskId, purpose: "result" });
    const { file_id: gone } = await kept(provider, { taskId: work.taskId, purpose: "result", name: "b" });
    assert.equal(outcome(await remove(provider, gone)), "200");
    const nothing = "fil_2222222222222222222222";
    const bodyOf = async (response: Response) =>
      `${response.status} ${(await response.text()).replace(/req_\w{22}/, "")} ${[...response.headers.keys()]}`;
    const cookie = { Cookie: administrator.cookie };
    for (const [agent, headers] of [
      [stranger, {}],
      [undefined, cookie],
    ] as const) {
      const unknown = await bodyOf(await get(agent, nothing, headers));
      for (const fileId of [id, gone]) assert.equal(await bodyOf(await get(agent, fileId, headers)), unknown);
    }
    assert.equal((await get(undefined, id)).status, 401);
    const plain = (answer: Awaited<ReturnType<typeof list>>) => JSON.stringify(answer.error);
    assert.equal(plain(await list(stranger, work.taskId)), plain(await list(stranger, "tsk_2222222222222222222222")));
    assert.equal(outcome(await remove(stranger, id)), "404 not_found");
    assert.equal((await get(requester, gone)).status, 410);
    // An administrator reads them while the task is disputed, and only then.
    await did(requester, "dispute", work);
    assert.equal(await (await get(undefined, id, cookie)).text(), WORDS);
  }
});

test("a claim waits until every expected file has arrived with its hash", async () => {
  const expected = [
    { name: "a.txt", sha256: sha256Of("A") },
    { name: "b.txt", sha256: sha256Of("B") },
  ];
  const work = await at("open", { expected_files: expected });
  assert.deepEqual((await readTask(work.taskId, parties.requester)).expected_files, expected);
  const blocked = async (names: string) => {
    const { error } = await perform(parties.provider, "claim", work);
    const gate = error?.gates?.find((each) => each.gate === "files");
    assert.deepEqual([error?.code, gate?.passed, gate?.reason], ["gate_refused", false, "files_missing"]);
    assert.ok(gate?.remedy?.includes(names), gate?.remedy ?? "");
  };
  await blocked('"a.txt", "b.txt"');
  await kept(parties.requester, { taskId: work.taskId, name: "a.txt", bytes: "A" });
  await kept(parties.requester, { taskId: work.taskId, name: "b.txt", bytes: "not B" });
  await blocked('upload "b.txt"');
  const { file_id: id } = await kept(parties.requester, { taskId: work.taskId, name: "b.txt", bytes: "B" });
  await remove(parties.requester, id);
  await blocked('upload "b.txt"');
  await kept(parties.requester, { taskId: work.taskId, name: "b.txt", bytes: "B" });
  await did(parties.provider, "claim", work);
  for (const [files, path] of [
    [[], "expected_files"],
    [[{ name: "a" }], "expected_files.0.sha256"],
    [[expected[0], expected[0]], "expected_files"],
    [Array.from({ length: 21 }, (_, index) => ({ name: `${index}`, sha256: sha256Of("A") })), "expected_files"],
  ] as const) {
    const fields = { brief: "B", budget_pence: 0, client_request_id: `x${path}${files.length}`, expected_files: files };
    const { error } = await callAs(parties.requester, "POST", "/api/v1/jobs/create.php", fields);
    assert.equal(error?.field_errors?.[0]?.path, path);
  }
});

test("a party removes its own files at once until the result is submitted, and their bytes are gone", async () => {
  const { requester, provider } = parties;
  const work = await at("in_progress");
  const { file_id: id, sha256 } = await kept(provider, { taskId: work.taskId, purpose: "result", bytes: "Gone soon." });
  assert.ok(stored().contents.includes(sha256));
  assert.equal(outcome(await remove(requester, id)), "403 forbidden");
  for (const _ of [1, 2]) assert.equal((await remove(provider, id)).body.file.state, "removed");
  assert.ok(!stored().contents.includes(sha256));
  const { file_id: late } = await kept(provider, { taskId: work.taskId, purpose: "result" });
  await did(provider, "submit", work);
  assert.equal(outcome(await remove(provider, late)), "409 state_conflict");
});

test("bytes that several files share stay until the last of them is removed", async () => {
  const bytes = "Shared by two tasks.";
  const [one, other] = [await at("open"), await at("open")];
  const first = await kept(parties.requester, { taskId: one.taskId, bytes });
  const second = await kept(parties.requester, { taskId: other.taskId, bytes });
  await remove(parties.requester, first.file_id);
  assert.equal(await (await get(parties.requester, second.file_id)).text(), bytes);
  await remove(parties.requester, second.file_id);
  assert.ok(!stored().contents.includes(first.sha256));
});

test("many uploads and removals of the same bytes at once never leave a file without its bytes", async () => {
  const bytes = "Come and go.";
  const works: Work[] = await Promise.all(Array.from({ length: 6 }, () => at("open")));
  for (let round = 0; round < 8; round += 1) {
    const came = await Promise.all(works.map(({ taskId }) => kept(parties.requester, { taskId, bytes })));
    await Promise.all(
      came.map(async ({ file_id: id }, index) => {
        if (index % 2 === round % 2) await remove(parties.requester, id);
        else await put(parties.requester, { taskId: works[(index + 1) % 6]?.taskId ?? "", bytes });
      }),
    );
    const { rows } = await pool().query("SELECT id FROM files WHERE state = 'kept' AND sha256 = $1", [sha256Of(bytes)]);
    for (const { id } of rows) assert.equal(await (await get(parties.requester, id)).text(), bytes);
    assert.equal(stored().contents.includes(sha256Of(bytes)), rows.length > 0);
  }
});

test("after the retention period the bytes of ended tasks are removed, and names and hashes stay", async () => {
  const ended = await at("in_progress");
  const running = await at("open");
  const file = await kept(parties.provider, { taskId: ended.taskId, purpose: "result", bytes: "Ended." });
  const other = await kept(parties.requester, { taskId: running.taskId, bytes: "Running." });
  await did(parties.provider, "submit", ended);
  await did(parties.requester, "complete", ended);
  await sweepAt(later(89 * 86_400));
  assert.equal((await get(parties.provider, file.file_id)).status, 200);
  await sweepAt(later(91 * 86_400));
  assert.equal((await get(parties.provider, file.file_id)).status, 410);
  assert.ok(!stored().contents.includes(file.sha256));
  assert.deepEqual((await list(parties.requester, ended.taskId)).body.files, [{ ...file, state: "removed" }]);
  assert.equal((await get(parties.requester, other.file_id)).status, 200);
});

test("the quotas of a task, an identity, and the installation hold", async () => {
  const { taskId } = await at("open");
  for (let index = 0; index < 20; index += 1) await kept(parties.requester, { taskId, name: `${index}` });
  assert.equal(codeOf(await put(parties.requester, { taskId, name: "20" })), "409 quota_exceeded");
  await kept(parties.requester, { taskId, name: "19", bytes: "Replaced." });
  const mib = (count: number) => Buffer.alloc(count * 1024 ** 2);
  const large = await at("open");
  for (const name of ["a", "b", "c", "d"])
    await kept(parties.requester, { taskId: large.taskId, name, bytes: mib(25) });
  assert.equal(codeOf(await put(parties.requester, { taskId: large.taskId, name: "e" })), "409 quota_exceeded");

  const [{ bytes }] = (await pool().query("SELECT bytes FROM file_totals")).rows as [{ bytes: string }];
  const { rows } = await pool().query("SELECT sum(size) AS bytes FROM files WHERE state <> 'removed'");
  assert.equal(bytes, rows[0].bytes);
  await configure({ FILES_MAX_BYTES: String(Number(bytes) + 100) });
  const last = await at("open");
  const full = await put(parties.requester, { taskId: last.taskId, bytes: "x".repeat(101) });
  assert.equal(codeOf(full), "503 temporarily_unavailable");
  assert.match(full.error?.message ?? "", /no space left for files/);
  await kept(parties.requester, { taskId: last.taskId, bytes: "x".repeat(100) });
  await configure();

  const heavy = await registerAgent();
  const own = await postTask(heavy);
  await pool().query(
    `INSERT INTO files (id, task_id, uploader_id, purpose, name, size, media_type, sha256, state, created_at)
     SELECT 'fil_' || n, $1, $2, 'result', n, 25 * 1024 * 1024, 'a/b', 'sha256:' || n, 'kept', now() FROM generate_series(1, 40) n`,
    [large.taskId, heavy.publicId],
  );
  assert.equal(codeOf(await put(heavy, { taskId: own.task_id, bytes: mib(25) })), "409 quota_exceeded");
});

/** What is written once, when a process first needs it: the reference, the skill, the limits and the tools of MCP. */
const WRITTEN_ONCE = `
  const { referenceMarkdown } = await import("#lib/api/documents/reference.ts");
  const { LIMIT_TABLES } = await import("#lib/api/documents/limits.ts");
  const { skillText } = await import("#lib/api/skill/skill.ts");
  const { TOOLS, isOffered } = await import("#lib/api/mcp/tools.ts");
  const tools = [...TOOLS.values()].filter(isOffered).map(({ definition }) => definition);
  console.log(referenceMarkdown(), LIMIT_TABLES["rate-limits"](), skillText(), JSON.stringify(tools));
`;

test("the documents and tools of a service without files have no trace of them", () => {
  const texts = ["on", "off"].map((FILES) => {
    const env = { ...process.env, FILES };
    const args = ["--input-type=module", "--eval", WRITTEN_ONCE];
    return execFileSync(process.execPath, args, { env, encoding: "utf8", maxBuffer: 2 ** 24 });
  });
  const traces =
    /jobs.files|remove_file|file_removed|_files\b|\bfiles\?|## Files|### (?:Named|Expected)?File\b|\{kind: file|Uploads of files/g;
  const [on = "", off = ""] = texts;
  assert.deepEqual([...new Set(off.match(traces))], []);
  assert.ok(new Set(on.match(traces)).size >= 9, String([...new Set(on.match(traces))]));
});

test("without files the service has no trace of them", async () => {
  const { taskId } = await at("open");
  const { file_id: id } = await kept(parties.requester, { taskId });
  const { taskId: claimedId } = await at("claimed");
  const aboutFile = { acceptance_criteria: ["A", { kind: "file_present" as const, name: "a", max_bytes: 1 }] };
  const before = await publishOffer(parties.provider, aboutFile);
  await configure({ FILES: "off" });
  const there = async (path: string) => (await call("GET", path, { token: parties.requester.token })).error?.message;
  for (const path of ["/api/v1/jobs/files.php", `/api/v1/jobs/files/${id}`])
    assert.match((await there(path)) ?? "", /nothing at this path/);
  assert.equal(codeOf(await put(parties.requester, { taskId })), "404 not_found");
  const fields = {
    expected_files: [{ name: "a", sha256: sha256Of("a") }],
    brief: "B",
    budget_pence: 0,
    client_request_id: "off",
  };
  assert.equal(
    outcome(await callAs(parties.requester, "POST", "/api/v1/jobs/create.php", fields)),
    "422 invalid_input",
  );
  // Nobody could meet a criterion about a file.
  const texts = { description: "D", input: "I", output: "O", limits: "L" };
  const offer = { skill: "translation", ...texts, price_pence: 0, enabled: true };
  const { requester, provider } = parties;
  for (const [agent, path, field, body] of [
    [requester, "jobs/create", "terms.acceptance_criteria.1.kind", task({ terms: terms(0, aboutFile) })],
    [requester, "contracts/create", "acceptance_criteria.1.kind", { task_id: claimedId, ...terms(0, aboutFile) }],
    [provider, "agents/offers", "acceptance_criteria.1.kind", { ...offer, ...aboutFile }],
  ] as const) {
    const { error } = await callAs(agent, "POST", `/api/v1/${path}.php`, body);
    assert.deepEqual([error?.code, error?.field_errors?.[0]?.path], ["invalid_input", field], path);
  }
  const order = {
    offer_id: before.offer_id,
    price_pence: before.price_pence,
    input: "A text",
    client_request_id: "late",
  };
  const { error } = await callAs(requester, "POST", "/api/v1/jobs/order.php", order);
  assert.deepEqual([error?.code, error?.reason], ["offer_unavailable", "files"]);
  const disabled = { ...offer, ...aboutFile, offer_id: before.offer_id, enabled: false };
  assert.equal((await callAs(provider, "POST", "/api/v1/agents/offers.php", disabled)).error, undefined);
  const text = JSON.stringify(buildOpenApi(ENDPOINTS.filter(isLive)));
  assert.doesNotMatch(text, /"(?:expected|input|result)_files"|"files"|"const":"file_|x-needs|FileName/);
  await configure();
  assert.match(JSON.stringify(buildOpenApi(ENDPOINTS)), /"expected_files".*"const":"file_present"/);
});
