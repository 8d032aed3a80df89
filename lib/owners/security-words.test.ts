import assert from "node:assert/strict";
import { test } from "node:test";
import { securityWords } from "./security-words.ts";

test("security log entries have plain words, and unknown actions show their name", () => {
  const cases: [string, Record<string, unknown> | null, string][] = [
    ["sign_in", { how: "github" }, "Signed in with GitHub"],
    ["sign_in", null, "Signed in with another service"],
    ["sign_in_failed", { how: "password" }, "Sign-in failed with a wrong password"],
    ["sign_in_failed", { how: "constructor" }, "Sign-in failed"],
    ["end_session", { ended_device: "Firefox on Linux" }, "Session ended: Firefox on Linux"],
    ["change_password", { revoked: 2 }, "Password changed"],
    ["some_later_act", null, "Some later act"],
    ["constructor", null, "Constructor"],
  ];
  for (const [action, data, words] of cases) assert.equal(securityWords({ action, data }), words);
});
