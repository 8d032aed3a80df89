import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { configure } from "#testing/configuration.ts";
import { registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { putUrl, reprDigestOf, sha256Of, stored } from "#testing/files.ts";
import { servedService } from "#testing/served.ts";
import { postTask } from "#testing/workflow.ts";
import { secondsFor, takePlace } from "./pace.ts";

let agent: TestAgent;
let taskId: string;
const service = servedService({}, async () => {
  agent = await verifiedAgent();
  taskId = (await postTask(agent)).task_id;
});

type Raw = { path?: string; method?: string; headers?: Record<string, string>; body?: string | Buffer; token?: string };

/** Sends exactly these bytes. @returns the answer's status and text; `cut` if the connection ended without one */
function send({ path, method = "PUT", headers = {}, body = "", token = agent.token }: Raw): Promise<string> {
  const all = { Host: "localhost", Authorization: `Bearer ${token}`, Connection: "close", ...headers };
  const head = [
    `${method} ${path ?? putUrl(agent, { taskId })} HTTP/1.1`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
  ].join("\r\n");
  return new Promise((done) => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
    let answer = "";
    const end = () => done(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ? answer : "cut");
    socket.on("data", (data) => {
      answer += data;
    });
    socket.once("close", end).once("error", end);
    socket.cork();
    socket.write(`${head}\r\n\r\n`);
    socket.write(body);
    socket.uncork();
  });
}

const length = (bytes: string | Buffer) => ({ "Content-Length": String(Buffer.byteLength(bytes)) });
const named = (name: string) => ({ path: putUrl(agent, { taskId, name }), headers: length("x"), body: "x" });
const query = (change: (query: URLSearchParams) => void) => {
  const target = new URL(putUrl(agent, { taskId }), "http://localhost");
  change(target.searchParams);
  return { path: `${target.pathname}${target.search}`, headers: length("x"), body: "x" };
};
const inPath = (part: string) => ({
  path: putUrl(agent, { taskId }).replace("words.txt", part),
  headers: length("x"),
  body: "x",
});

/** What is refused: the request, and the statuses that may answer it. */
const REFUSED: Record<string, () => [Raw, RegExp]> = {};
const refuse = (what: string, raw: () => Raw, status = /^422/) => {
  REFUSED[what] = () => [raw(), status];
};
for (const name of [
  "a/b",
  "../a",
  "..\\a",
  "/etc/passwd",
  "C:\\a",
  "a\u0000.txt",
  "a\nb",
  "a\rb",
  "\u0007",
  "a\u202Egnp.exe",
])
  refuse(`the name ${JSON.stringify(name)}`, () => named(name));
for (const name of [
  "\u2066a\u2069",
  "\u009b31m",
  "\u2028",
  "x".repeat(201),
  "ä".repeat(201),
  "%00",
  "   ",
  "\u200Ea\u0008",
])
  refuse(`the name ${JSON.stringify(name).slice(0, 30)}`, () => named(name === "%00" ? "\u0000" : name));
for (const part of ["%", "%zz", "%ff", "%c0%ae%c0%ae", "%ed%a0%80", "%2e%2e%2fa", "a%2Fb", "a%5Cb", "%00"])
  refuse(`the path part ${part}`, () => inPath(part), /^4(04|22)/);
for (const part of ["..", ".", "%2e%2e", "", "a/b", "a//b", "%2e"])
  refuse(`the path part ${JSON.stringify(part)}`, () => inPath(part), /^40[45]/);
for (const length of ["-1", "1e3", "0x10", "99999999999999999999", "1, 1", " ", "abc", "+1"])
  refuse(
    `the length ${JSON.stringify(length)}`,
    () => ({ headers: { "Content-Length": length }, body: "x" }),
    /^(4|cut)/,
  );
refuse("no length", () => ({}));
refuse("a chunked body", () => ({ headers: { "Transfer-Encoding": "chunked" }, body: "1\r\nx\r\n0\r\n\r\n" }));
refuse(
  "a length and chunks",
  () => ({ headers: { "Content-Length": "1", "Transfer-Encoding": "chunked" }, body: "0\r\n\r\n" }),
  /^4/,
);
refuse(
  "a compressed transfer",
  () => ({ headers: { "Transfer-Encoding": "gzip, chunked" }, body: "0\r\n\r\n" }),
  /^(4|5)/,
);
refuse("25 MiB and one byte", () => ({ headers: { "Content-Length": String(25 * 1024 ** 2 + 1) } }), /^413/);
refuse("a terabyte", () => ({ headers: { "Content-Length": "1099511627776" } }), /^413/);
for (const type of [
  "text",
  "text/",
  "/plain",
  "a b/c",
  "text/plain/x",
  "x".repeat(80),
  `${"x".repeat(61)}/a`,
  "text/pläin",
])
  refuse(`the type ${type.slice(0, 20)}`, () => ({ headers: { "Content-Type": type, ...length("x") }, body: "x" }));
for (const digest of [
  "sha-256",
  "sha-256=:",
  "sha-256=abc",
  "sha-256=:AAAA:",
  "md5=:AAAA:",
  "sha-512=:AAAA:",
  "; drop",
  reprDigestOf("y"),
])
  refuse(`the digest ${digest.slice(0, 20)}`, () => ({
    headers: { "Repr-Digest": digest, ...length("x") },
    body: "x",
  }));
refuse("two digests, the first wrong", () => ({
  headers: { "Repr-Digest": `${reprDigestOf("y")}, ${reprDigestOf("x")}`, ...length("x") },
  body: "x",
}));
refuse("no credential", () => ({ token: "", ...named("a") }), /^401/);
refuse("an unknown credential", () => ({ token: `ghm_${"a".repeat(43)}`, ...named("a") }), /^401/);
refuse("a token in the query", () => query((all) => all.set("token", agent.token)));
refuse("a token as the name", () => named(agent.token));
refuse("another's public_id", () => query((all) => all.set("public_id", "agt_2222222222222222222222")), /^401/);
refuse("no task", () => query((all) => all.delete("task_id")));
refuse("a task twice", () => query((all) => all.append("task_id", taskId)));
refuse("a missing task", () => query((all) => all.set("task_id", "tsk_2222222222222222222222")), /^404/);
refuse("no task's ID", () => query((all) => all.set("task_id", "../../x")));
for (const purpose of ["", "BRIEF", "other", "brief,result", "__proto__"])
  refuse(`the purpose ${purpose}`, () => query((all) => all.set("purpose", purpose)));
refuse("a result by the requester", () => query((all) => all.set("purpose", "result")), /^403/);
for (const method of ["POST", "DELETE", "PATCH", "TRACE", "MKCOL"])
  refuse(`the method ${method}`, () => ({ method, ...named("a") }), /^40[45]/);

test("hostile uploads are refused, and leave nothing", async () => {
  const cases = Object.entries(REFUSED);
  assert.ok(cases.length + Object.keys(POLYGLOTS).length >= 99, `${cases.length}`);
  for (const [what, make] of cases) {
    const [raw, status] = make();
    const answer = await send(raw);
    assert.match(answer.replace("HTTP/1.1 ", ""), status, `${what}: ${answer.slice(0, 300)}`);
    assert.doesNotMatch(answer, /^HTTP\/1\.1 500/);
  }
  assert.deepEqual(stored(), { contents: [], drafts: 0 });
  const { rows } = await pool().query("SELECT 1 FROM files");
  assert.equal(rows.length, 0);
});

const SCRIPT = "<script>alert(document.cookie)</script>";
const POLYGLOTS: Record<string, [type: string, bytes: string | Buffer]> = {
  "page.html": ["text/html", `<!doctype html>${SCRIPT}`],
  "page.xhtml": ["application/xhtml+xml", `<html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`],
  "picture.svg": ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`],
  "feed.xml": ["application/xml", `<?xml version="1.0"?><?xml-stylesheet href="javascript:alert(1)"?><a/>`],
  "script.js": ["text/javascript", "alert(1)"],
  "script.wasm": ["application/wasm", Buffer.from("0061736d01000000", "hex")],
  "paper.pdf": ["application/pdf", "%PDF-1.4 /OpenAction /JavaScript"],
  "picture.gif": ["image/gif", `GIF89a=1;${SCRIPT}`],
  "picture.png": ["image/png", Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from(SCRIPT)])],
  "text.txt": ["text/plain", SCRIPT],
  "mixed.bin": ["multipart/x-mixed-replace", `--a\r\nContent-Type: text/html\r\n\r\n${SCRIPT}`],
  "mail.eml": ["message/rfc822", `Content-Type: text/html\r\n\r\n${SCRIPT}`],
  "archive.zip": ["application/zip", Buffer.from("504b0506000000000000000000000000000000000000", "hex")],
  "\u2060.htaccess": ["application/octet-stream", "AddType text/html .txt"],
  "report.pdf.exe": ["application/x-msdownload", "MZ"],
};

test("files that browsers might run come back as attachments that they do not open", async () => {
  for (const [name, [type, bytes]] of Object.entries(POLYGLOTS)) {
    const path = putUrl(agent, { taskId, name });
    const headers = { "Content-Type": type, ...length(bytes) };
    const answer = await send({ path, headers, body: bytes });
    assert.match(answer, /^HTTP\/1\.1 201/, name);
    const { file } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as {
      file: { file_id: string; media_type: string };
    };
    assert.equal(file.media_type, type);
    const response = await fetch(`${service.url}/api/v1/jobs/files/${file.file_id}`, {
      headers: { Authorization: `Bearer ${agent.token}` },
    });
    assert.equal(sha256Of(Buffer.from(await response.arrayBuffer())), sha256Of(bytes), name);
    assert.match(response.headers.get("content-disposition") ?? "", /^attachment; /);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("content-security-policy"), "sandbox; default-src 'none'");
    const sent = response.headers.get("content-type") ?? "";
    assert.doesNotMatch(sent, /html|xml|svg|script|pdf|wasm|multipart/, name);
  }
});

test("an upload that breaks off leaves nothing, and its place is free again", { timeout: 120_000 }, async () => {
  const before = stored();
  const port = Number(new URL(service.url).port);
  const head = `PUT ${putUrl(agent, { taskId, name: "half" })} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${agent.token}\r\nContent-Length: 1000000\r\n\r\n`;
  for (let round = 0; round < 5; round += 1) {
    const socket = connect(port, "127.0.0.1");
    socket.write(head + "x".repeat(1_000 * round));
    while (stored().drafts === before.drafts) await delay(10);
    socket.destroy();
    while (stored().drafts > before.drafts) await delay(10);
  }
  // These leave before anyone reads their body, and are more than have a place at once.
  for (let round = 0; round < 50; round += 1) {
    const socket = connect(port, "127.0.0.1", () => socket.write(head, () => socket.resetAndDestroy()));
    await once(socket, "close");
  }
  const uploading = async () => (await pool().query("SELECT 1 FROM files WHERE state = 'uploading'")).rows.length;
  while (stored().drafts > before.drafts || (await uploading()) > 0) await delay(10);
  const body = Buffer.from("whole");
  const whole = () => send({ path: putUrl(agent, { taskId, name: "whole" }), headers: length(body), body });
  let answer = await whole();
  for (; /^HTTP\/1\.1 503/.test(answer); answer = await whole()) await delay(100);
  assert.match(answer, /^HTTP\/1\.1 201/);
});

test("an upload leaves none of its bytes in memory", async () => {
  const body = Buffer.alloc(20 * 1024 ** 2, "bytes");
  const before = process.memoryUsage().arrayBuffers;
  assert.match(
    await send({ path: putUrl(agent, { taskId, name: "large" }), headers: length(body), body }),
    /^HTTP\/1\.1 201/,
  );
  const left = process.memoryUsage().arrayBuffers - before;
  assert.ok(left < body.byteLength / 5, `${left} bytes`);
});

test("an upload that stalls is answered 408 when the time for its size is over, and leaves nothing", {
  timeout: 60_000,
}, async (t) => {
  const before = stored();
  const size = 1_000_000;
  const path = putUrl(agent, { taskId, name: "stalled" });
  const answer = send({ path, headers: { "Content-Length": String(size) }, body: "x" });
  while (stored().drafts === before.drafts) await delay(10);
  // Any other request would have 60 seconds.
  const late = performance.now() + secondsFor(size) * 1_000;
  t.mock.method(performance, "now", () => late);
  assert.match(await answer, /^HTTP\/1\.1 408 [\s\S]*"code":"temporarily_unavailable"/);
  while (stored().drafts > before.drafts) await delay(10);
  const { rows } = await pool().query("SELECT 1 FROM files WHERE name = 'stalled'");
  assert.equal(rows.length, 0);
});

test("one identity moves 40 files at once, and others still have places", () => {
  const places = Array.from({ length: 40 }, () => takePlace("agt_one"));
  assert.throws(() => takePlace("agt_one"), /as many files at once/);
  const others = [1, 2, 3, 4].flatMap((who) => Array.from({ length: 40 }, () => takePlace(`agt_${who}`)));
  assert.throws(() => takePlace("agt_5"), /This service moves as many/);
  for (const giveBack of [...places, ...others, ...places]) giveBack();
  takePlace("agt_one")();
});

test("an identity without a proved domain uploads 10 files an hour", async () => {
  await configure({ BASE_URL: service.url, RATE_LIMIT_SCALE: "1" });
  const newcomer = await registerAgent();
  const own = (await postTask(newcomer)).task_id;
  const upload = (name: string) =>
    send({ path: putUrl(newcomer, { taskId: own, name }), token: newcomer.token, headers: length("x"), body: "x" });
  for (let index = 0; index < 10; index += 1) assert.match(await upload(`${index}`), /^HTTP\/1\.1 201/);
  assert.match(await upload("10"), /^HTTP\/1\.1 429/);
  await configure({ BASE_URL: service.url });
});
