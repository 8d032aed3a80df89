import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "#lib/kernel/errors.ts";
import { READABLE_ANYWHERE, respond, respondError, respondPublic, successBody } from "./respond.ts";

const ask = (tag?: string) =>
  new Request("http://localhost/", tag === undefined ? {} : { headers: { "If-None-Match": tag } });
const answer = (tag?: string, body = '{"ok":true}') =>
  respondPublic(ask(tag), body, { "X-Request-Id": "req_1" }).toResponse();

test("a public answer can be cached, read from any site and revalidated by its ETag", async () => {
  const first = answer();
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("Access-Control-Allow-Origin"), "*");
  assert.equal(first.headers.get("Access-Control-Allow-Credentials"), null);
  assert.equal(first.headers.get("Cache-Control"), "public, no-cache");
  const tag = first.headers.get("ETag") ?? "";
  assert.match(tag, /^"[\w-]+"$/);
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const again = answer(known);
    assert.equal(again.status, 304, known);
    assert.equal(await again.text(), "");
    assert.equal(again.headers.get("ETag"), tag);
    assert.equal(again.headers.get("X-Request-Id"), "req_1");
  }
});

test("a changed answer has another ETag and is sent in full", async () => {
  const tag = answer().headers.get("ETag") ?? "";
  const changed = answer(tag, '{"ok":true,"x":1}');
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get("ETag"), tag);
  assert.equal(await changed.text(), '{"ok":true,"x":1}');
});

test("the mark for untrusted text precedes the text", () => {
  assert.equal(successBody({ x: 1 }, false), '{"ok":true,"x":1}');
  assert.equal(successBody({ x: 1 }, true), '{"ok":true,"content_trust":"untrusted","x":1}');
});

test("answers cannot run, load or be framed; other sites may load public ones", () => {
  const own = respond(200, "{}", {});
  const refused = respondError(new ApiError("not_found", "x"), "req_1", {});
  const open = respondError(new ApiError("not_found", "x"), "req_1", READABLE_ANYWHERE);
  for (const [each, policy] of [
    [own, "same-origin"],
    [refused, "same-origin"],
    [open, "cross-origin"],
    [respondPublic(ask(), "{}", {}), "cross-origin"],
    [respondPublic(ask("*"), "{}", {}), "cross-origin"],
  ] as const) {
    const { headers } = each.toResponse();
    assert.equal(headers.get("Content-Security-Policy"), "default-src 'none'; frame-ancestors 'none'");
    assert.equal(headers.get("Cross-Origin-Resource-Policy"), policy);
  }
});
