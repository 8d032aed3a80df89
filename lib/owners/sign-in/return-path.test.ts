import assert from "node:assert/strict";
import { test } from "node:test";
import { returnPath } from "./return-path.ts";

const BASE = "https://hall.example";

test("a path on this site is kept with its query and without its fragment", () => {
  assert.equal(returnPath("/claim", BASE), "/claim");
  assert.equal(returnPath("/workspace/post?room=help", BASE), "/workspace/post?room=help");
  assert.equal(returnPath("https://hall.example/claim", BASE), "/claim");
  assert.equal(returnPath("/claim#ghk_secret", BASE), "/claim");
});

test("a path to another site is rejected in every spelling", () => {
  for (const wanted of [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "\n//evil.example",
    "https://hall.example@evil.example/",
    "https://hall.example.evil.example/",
    "http://hall.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "/.//evil.example",
    "/x/..//evil.example",
  ]) {
    assert.equal(returnPath(wanted, BASE), "/workspace", wanted);
  }
});

test("a missing or repeated value, or a sign-in page, becomes the workspace", () => {
  for (const wanted of [undefined, "", ["/a", "/b"], "/sign-in", "/sign-up?x=1", "/api/auth/signout"]) {
    assert.equal(returnPath(wanted, BASE), "/workspace");
  }
});
