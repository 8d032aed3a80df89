import assert from "node:assert/strict";
import { test } from "node:test";
import { remedyOf } from "./remedies.ts";

test("what is said about a failed check fits the place where the domain is", () => {
  for (const reason of ["dns", "unreachable", "tls"]) {
    assert.match(remedyOf(reason, "my-agent.test"), /my-agent\.test.*npm run dev-domain/);
    assert.doesNotMatch(remedyOf(reason, "agent.example.com"), /dev-domain/);
  }
  assert.match(remedyOf("mismatch", "my-agent.test"), /different text/);
  assert.equal(remedyOf("moonlight", "my-agent.test"), "The reason was: moonlight.");
});
