import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";
import { withScriptHashes } from "./hashed-scripts.ts";

const hashOf = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;

let nonce: string;
beforeEach(() => {
  nonce = `${"N".repeat(22)}==`;
});

function hashed(html: string, { type = "text/html; charset=utf-8", host = "guild.example" } = {}) {
  const headers = { "content-type": type, "content-security-policy": `script-src 'nonce-${nonce}' 'strict-dynamic'` };
  const answer = withScriptHashes({ status: 200, headers, body: Buffer.from(html) }, ["guild.example", host]);
  const policy = String(answer.headers["content-security-policy"]);
  return { policy, scripts: /script-src ([^;]*)/.exec(policy)?.[1]?.split(" ") ?? [], text: answer.body.toString() };
}

test("the policy has the hashes of marked inline scripts and the place of our script files, and nothing else", () => {
  const { scripts } =
    hashed(`<script nonce="${nonce}">one()</script><script src="/_next/static/a.js" nonce="${nonce}"></script>
    <script id="x" nonce="${nonce}">two(
      "ü")</script>`);
  assert.deepEqual(scripts, ["guild.example/_next/static/", hashOf("one()"), hashOf('two(\n      "ü")')]);
});

test("scripts that our render did not mark are never allowed", () => {
  const own = `<script nonce="${nonce}">own()</script>`;
  for (const injected of [
    "<script>evil()</script>",
    `<script nonce="${"A".repeat(22)}==">evil()</script>`,
    '<script nonce="guess">evil()</script>',
    "<script>evil()",
    '<script data-x="',
    "<SCRIPT nonce=>evil()</SCRIPT>",
    "<!--<script>evil()</script>",
  ]) {
    const { scripts } = hashed(`${injected}${own}`);
    for (const source of scripts.slice(1)) assert.equal(source, hashOf("own()"), injected);
  }
});

test("two renders of one page are the same bytes and have the same policy", () => {
  const page = () => hashed(`<script nonce="${nonce}">push("\\"nonce\\":\\"${nonce}\\"")</script>`);
  const one = page();
  nonce = `${"M".repeat(22)}==`;
  assert.deepEqual(page(), one);
  assert.ok(!one.text.includes("NNNN"));
  assert.ok(one.scripts.includes(hashOf(/>(.*)<\/script>/.exec(one.text)?.[1] ?? "")));
});

test("an answer that is not a page allows no script", () => {
  assert.deepEqual(hashed(`0:{"nonce":"${nonce}"}`, { type: "text/x-component" }).scripts, ["'none'"]);
});

test("script files are allowed at BASE_URL's host and at the host of the request, unless that is no host", () => {
  assert.deepEqual(hashed("", { host: "127.0.0.1:3000" }).scripts, [
    "guild.example/_next/static/",
    "127.0.0.1:3000/_next/static/",
  ]);
  assert.deepEqual(hashed("", { host: "evil.example; script-src *" }).scripts, ["guild.example/_next/static/"]);
});
