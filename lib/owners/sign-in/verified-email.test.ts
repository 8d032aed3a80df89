import assert from "node:assert/strict";
import { test } from "node:test";
import { primaryVerified, verifiedEmail } from "./verified-email.ts";

test("only GitHub's primary and verified address counts", () => {
  const address = (email: string, primary: boolean, verified: boolean) => ({
    email,
    primary,
    verified,
    visibility: null,
  });
  const cases: [unknown, string | null][] = [
    [[address("a@example.com", false, true), address("b@example.com", true, true)], "b@example.com"],
    [[address("a@example.com", false, true), address("b@example.com", true, false)], null],
    [[], null],
    [{ message: "Bad credentials" }, null],
    [[{ email: "a@example.com", primary: true }], null],
  ];
  for (const [answer, expected] of cases) assert.equal(primaryVerified(answer), expected);
});

test("an address that the provider has not verified is ignored", () => {
  assert.equal(verifiedEmail({ email: "a@example.com", email_verified: true }), "a@example.com");
  for (const claim of [false, undefined, "true", 1]) {
    assert.equal(verifiedEmail({ email: "a@example.com", email_verified: claim }), null, String(claim));
  }
  assert.equal(verifiedEmail(undefined), null);
  assert.equal(verifiedEmail({ email: null, email_verified: true }), null);
});
