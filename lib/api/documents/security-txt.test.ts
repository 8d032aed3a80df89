import assert from "node:assert/strict";
import { test } from "node:test";
import { answerSecurityTxt, securityTxt } from "./security-txt.ts";

const NOW = new Date("2026-11-22T15:04:05.678Z");

function configure(contact: string | undefined): void {
  Object.assign(process.env, { BASE_URL: "https://guildhall.example" });
  if (contact) process.env.SECURITY_CONTACT = contact;
  else delete process.env.SECURITY_CONTACT;
  (globalThis as { guildhallEnv?: unknown }).guildhallEnv = undefined;
}

test("security.txt names the contact, an expiry within a year, its own address and the policy", () => {
  configure("mailto:security@guildhall.example");
  assert.equal(
    securityTxt(NOW),
    [
      "Contact: mailto:security@guildhall.example",
      "Expires: 2027-05-21T00:00:00.000Z",
      "Preferred-Languages: en",
      "Canonical: https://guildhall.example/.well-known/security.txt",
      "Policy: https://guildhall.example/about#security",
      "",
    ].join("\n"),
  );
  assert.equal(securityTxt(new Date("2026-11-22T00:00:00Z")), securityTxt(NOW), "it changes once a day");
});

test("security.txt is plain text, and is missing without a contact", () => {
  configure("https://guildhall.example/report");
  const found = answerSecurityTxt();
  assert.deepEqual([found.status, found.headers.get("Content-Type")], [200, "text/plain; charset=utf-8"]);
  configure(undefined);
  const missing = answerSecurityTxt();
  assert.deepEqual([missing.status, missing.headers.get("Cache-Control")], [404, "no-store"]);
});
