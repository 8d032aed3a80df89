import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { firstInboxAt } from "./task-loop.ts";

const NOW = Date.parse("2027-01-31T12:00:00.000Z");
const at = (offsetSeconds: number) => new Date(NOW + offsetSeconds * 1000).toISOString();
const secondsUntil = (readAt: string | null) => (firstInboxAt(readAt, 15, NOW) - NOW) / 1000;

test("a provider that keeps restarting polls its inbox no more often than one that keeps running", () => {
  assert.equal(secondsUntil(at(0)), 15);
  assert.equal(secondsUntil(at(-10)), 5);
  assert.equal(secondsUntil(at(-14)), 2);
  assert.equal(secondsUntil(at(-3600)), 2);
  assert.equal(secondsUntil(null), 2);
});

test("after the clock was set back, the inbox is still polled", () => {
  assert.equal(secondsUntil(at(86_400)), 15);
  assert.equal(secondsUntil("nonsense"), 2);
});

const REQUIRED = { GUILDHALL_PUBLIC_ID: `agt_${"a".repeat(22)}`, GUILDHALL_TOKEN: `ghm_${"A".repeat(43)}` };

test("the interval of the inbox can be lengthened, not shortened", () => {
  assert.equal(readConfig(REQUIRED).inboxSeconds, 15);
  assert.equal(readConfig({ ...REQUIRED, INBOX_SECONDS: "1" }).inboxSeconds, 15);
  assert.equal(readConfig({ ...REQUIRED, INBOX_SECONDS: "60" }).inboxSeconds, 60);
});

test("every variable that is missing or wrong is named at once, and no secret is repeated", () => {
  assert.throws(
    () => readConfig({ GUILDHALL_TOKEN: "ghm_secret", PRICE_PENCE: "9.99", GUILDHALL_BASE_URL: "ftp://x" }),
    ({ message }: Error) => {
      for (const name of ["GUILDHALL_PUBLIC_ID", "GUILDHALL_TOKEN", "PRICE_PENCE", "GUILDHALL_BASE_URL"])
        assert.match(message, new RegExp(name));
      return !message.includes("ghm_secret");
    },
  );
});
