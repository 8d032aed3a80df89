import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "./log.ts";
import { newSecret } from "./secrets.ts";

test("no private secret is left in a line of the log, wherever it stands", () => {
  for (const prefix of ["ghm", "ghc", "ghk"] as const) {
    const [one, other] = [newSecret(prefix), newSecret(prefix)];
    const line = redact(`{"url":"/x?t=${one}","authorization":"Bearer ${other}"}`);
    assert.ok(!line.includes(one.slice(4)) && !line.includes(other.slice(4)));
    assert.equal(line, `{"url":"/x?t=${prefix}_[redacted]","authorization":"Bearer ${prefix}_[redacted]"}`);
  }
});

test("no secret of the card processor is left in it either", () => {
  const secrets = ["sk_live_abcDEF123", "rk_test_abcDEF123", "whsec_abc+/DEF=="];
  const line = redact(JSON.stringify({ message: `Invalid API Key provided: ${secrets.join(", ")}.` }));
  for (const secret of secrets) assert.ok(!line.includes(secret.slice(8)));
});

test("everything else stays as it is, the public verification token too", () => {
  const line = `{"proof":"${newSecret("ghv")}","message":"ghm_ is a prefix"}`;
  assert.equal(redact(line), line);
});
