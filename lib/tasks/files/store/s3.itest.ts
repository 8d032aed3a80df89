import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { readS3Url } from "#lib/kernel/env/s3-url.ts";
import { sha256Of } from "#testing/files.ts";
import { s3Store } from "./s3.ts";
import { ContentMissing, type FileStore } from "./store.ts";

// The store against a server that is as strict as S3: it computes every signature (AWS Signature Version 4) itself, and compares the body
// with the signed hash and length. With `S3_TEST_URL`, the same cases run against a real store.

const ACCESS_KEY = "AKIDEXAMPLE";
const SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const REGION = "eu-west-2";

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: string | Buffer, value: string) => createHmac("sha256", key).update(value).digest();

/** Why S3 would refuse the request; undefined if it would not. */
function refusalOf(request: IncomingMessage, body: Buffer): string | undefined {
  const { authorization = "", "x-amz-date": date = "", "x-amz-content-sha256": hash = "" } = request.headers;
  const [, key, day, region, signed = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (key !== ACCESS_KEY || region !== REGION) return "InvalidAccessKeyId";
  if (request.headers["transfer-encoding"]) return "MissingContentLength";
  if (hash !== "UNSIGNED-PAYLOAD" && hash !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const names = signed.split(";");
  if (!["host", "x-amz-date"].every((name) => names.includes(name))) return "AccessDenied";
  const url = new URL(request.url ?? "", "http://s3");
  const canonical = [
    request.method,
    url.pathname,
    url.searchParams.toString(),
    ...names.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    signed,
    String(hash),
  ].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", String(date), scope, sha256(canonical)].join("\n");
  const signing = ["s3", "aws4_request"].reduce<Buffer>(hmac, hmac(hmac(`AWS4${SECRET}`, day ?? ""), region));
  return hmac(signing, toSign).toString("hex") === signature ? undefined : "SignatureDoesNotMatch";
}

const objects = new Map<string, Buffer>();
const refused: string[] = [];
/** How many of the next answers are failures of the server. */
let failures = 0;
const server = createServer(async (request, response) => {
  const body = await buffer(request);
  const refusal = refusalOf(request, body);
  const path = request.url ?? "";
  if (refusal) {
    refused.push(refusal);
    response.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`);
  } else if (failures > 0) {
    failures -= 1;
    response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
  } else if (request.method === "PUT") {
    objects.set(path, body);
    response.writeHead(200).end();
  } else if (request.method === "DELETE") {
    objects.delete(path);
    response.writeHead(204).end();
  } else {
    const object = objects.get(path);
    if (!object) return void response.writeHead(404).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const part = first === undefined ? object : object.subarray(Number(first), Number(last) + 1);
    response.writeHead(first === undefined ? 200 : 206, { "Content-Length": part.length });
    response.end(request.method === "HEAD" ? undefined : part);
  }
});

const folder = mkdtempSync(join(tmpdir(), "guildhall-s3-"));
let store: FileStore;
let port: number;
const storeAt = (text: string) => s3Store(readS3Url(text) ?? assert.fail("no bucket"), folder);
before(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  port = (server.address() as AddressInfo).port;
  const own = `http://${ACCESS_KEY}:${encodeURIComponent(SECRET)}@127.0.0.1:${port}/bucket/folder/?region=${REGION}`;
  store = storeAt(process.env.S3_TEST_URL ?? own);
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

async function placed(content: string | Buffer): Promise<string> {
  const draft = await store.newDraft();
  await draft.write(Buffer.from(content));
  const hash = sha256Of(content);
  await store.place(draft, hash);
  await draft.discard();
  return hash;
}

test("content goes to the bucket and comes back, whole and in parts, and is gone after its removal", async () => {
  const large = Buffer.alloc(6 * 1024 * 1024, "a file for the bucket. ");
  for (const content of ["small", large]) {
    const hash = await placed(content);
    assert.equal(await store.sizeOf(hash), Buffer.byteLength(content));
    assert.equal(sha256Of(await buffer(await store.read(hash))), hash);
    await store.remove(hash);
    assert.equal(await store.sizeOf(hash), undefined);
    await assert.rejects(store.read(hash), ContentMissing);
    await store.remove(hash);
  }
  const hash = await placed("0123456789");
  assert.equal(await text(await store.read(hash, { start: 2, end: 4 })), "234");
  assert.deepEqual(refused, []);
  assert.deepEqual(readdirSync(join(folder, "drafts")), []);
  await store.remove(hash);
});

const ownOnly = { skip: process.env.S3_TEST_URL ? "a real store" : false };

test("a store that is busy is asked again, and a refusal names the host and no secret", ownOnly, async () => {
  failures = 2;
  const hash = await placed("busy");
  assert.ok(objects.has(`/bucket/folder/${hash.slice(7)}`));
  const wrong = storeAt(`http://${ACCESS_KEY}:wrong@127.0.0.1:${port}/bucket?region=${REGION}`);
  await assert.rejects(wrong.sizeOf(hash), (error: Error) => {
    const said = `${error.message} ${String(error.cause)} ${error.stack}`;
    assert.match(said, new RegExp(`127\\.0\\.0\\.1:${port}.*answered 403`, "s"));
    assert.doesNotMatch(said, /wrong@|AKID/);
    return true;
  });
  assert.deepEqual(refused, ["SignatureDoesNotMatch"]);
});

test("a URL of a bucket without keys or bucket is none", () => {
  for (const url of ["https://host/bucket", "https://key@host/bucket", "https://key:secret@host/"])
    assert.equal(readS3Url(url), undefined);
  assert.deepEqual(readS3Url("https://key:a%2Fb@host/bucket"), {
    url: "https://host/bucket",
    accessKeyId: "key",
    secretAccessKey: "a/b",
    region: "us-east-1",
  });
});
