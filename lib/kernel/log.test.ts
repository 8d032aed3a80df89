import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "./log.ts";
import { newSecret } from "./secrets.ts";

test("private secrets are removed from log lines", () => {
  for (const prefix of ["ghm", "ghc", "ghk"] as const) {
    const [one, other] = [newSecret(prefix), newSecret(prefix)];
    const line = redact(`{"url":"/x?t=${one}","authorization":"Bearer ${other}"}`);
    assert.ok(!line.includes(one.slice(4)) && !line.includes(other.slice(4)));
    assert.equal(line, `{"url":"/x?t=${prefix}_[redacted]","authorization":"Bearer ${prefix}_[redacted]"}`);
  }
});

test("Stripe's secrets are removed from log lines", () => {
  const secrets = ["sk_live_abcDEF123", "rk_test_abcDEF123", "whsec_abc+/DEF=="];
  const line = redact(JSON.stringify({ message: `Invalid API Key provided: ${secrets.join(", ")}.` }));
  for (const secret of secrets) assert.ok(!line.includes(secret.slice(8)));
});

test("other text in log lines is unchanged, including the public verification token", () => {
  const line = `{"proof":"${newSecret("ghv")}","message":"ghm_ is a prefix"}`;
  assert.equal(redact(line), line);
});
