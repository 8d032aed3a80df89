import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { loadEnv } from "#lib/kernel/env.ts";
import { LIMITS, type LimitName } from "#lib/kernel/limits.ts";
import { closeLimiters, countCall, RateLimited, refusalFor, scaledPoints } from "./rate-limit.ts";

const limits = LIMITS as Record<LimitName, { points: number; seconds: number; per: string; strict: boolean }>;
const original = structuredClone(LIMITS);

function scale(value: string): void {
  (globalThis as { guildhallEnv?: unknown }).guildhallEnv = loadEnv({ RATE_LIMIT_SCALE: value });
}

async function restore(): Promise<void> {
  await closeLimiters();
  Object.assign(limits, structuredClone(original));
}

beforeEach(async () => {
  await restore();
  scale("1");
});
after(restore);

const me = () => "me";

async function refusal(names: LimitName[]): Promise<RateLimited> {
  const error = await countCall(names, me).catch((error: unknown) => error);
  assert.ok(error instanceof RateLimited, "the call was admitted");
  return error;
}

test("the published numbers are the ones in force", () => {
  const published: Partial<Record<LimitName, [points: number, seconds: number, per: string]>> = {
    public_read: [300, 60, "address"],
    service_read: [600, 60, "credential"],
    service_write: [60, 60, "credential"],
    heartbeat: [6, 60, "credential"],
    inbox_refresh: [4, 60, "credential"],
    registration: [60, 3_600, "address"],
    domain_check: [10, 3_600, "credential"],
    request: [1_200, 60, "address"],
    page: [300, 60, "address"],
    credential_failure: [60, 900, "address"],
    claim_failure: [30, 3600, "address"],
  };
  for (const [name, [points, seconds, per]] of Object.entries(published)) {
    const limit = limits[name as LimitName];
    assert.deepEqual([limit.points, limit.seconds, limit.per], [points, seconds, per], name);
  }
});

test("a limit admits exactly its number of calls and then refuses, and tells both in headers", async () => {
  for (let left = 5; left >= 0; left -= 1) {
    const headers = await countCall(["heartbeat"], me);
    assert.equal(headers["RateLimit-Policy"], '"heartbeat";q=6;w=60');
    assert.match(headers.RateLimit ?? "", new RegExp(`^"heartbeat";r=${left};t=\\d+$`));
  }
  const { status, headers, details } = await refusal(["heartbeat"]);
  assert.equal(status, 429);
  assert.match(headers.RateLimit ?? "", /^"heartbeat";r=0;t=\d+$/);
  assert.ok(details.retryAfterSeconds && details.retryAfterSeconds >= 1 && details.retryAfterSeconds <= 60);
});

test("a call that waits as long as it was asked to is admitted, even after attempts in between", async () => {
  limits.heartbeat = { ...limits.heartbeat, points: 2, seconds: 1 };
  await countCall(["heartbeat"], me);
  await countCall(["heartbeat"], me);
  await refusal(["heartbeat"]);
  const { details } = await refusal(["heartbeat"]);
  // A timer may end within the millisecond before its time.
  await delay((details.retryAfterSeconds ?? 0) * 1_000 + 1);
  await countCall(["heartbeat"], me);
});

test("each caller has its own count", async () => {
  limits.heartbeat = { ...limits.heartbeat, points: 1 };
  await countCall(["heartbeat"], () => "one");
  await countCall(["heartbeat"], () => "other");
  await assert.rejects(
    countCall(["heartbeat"], () => "one"),
    RateLimited,
  );
});

test("a call under two limits needs room in both, and its answer reports both", async () => {
  limits.inbox_refresh = { ...limits.inbox_refresh, points: 1 };
  const headers = await countCall(["service_read", "inbox_refresh"], me);
  assert.equal(headers["RateLimit-Policy"], '"service_read";q=600;w=60, "inbox_refresh";q=1;w=60');
  const refused = await refusal(["service_read", "inbox_refresh"]);
  assert.match(refused.headers.RateLimit ?? "", /"service_read";r=598;.*"inbox_refresh";r=0;/);
  await countCall(["service_read"], me);
});

test("the scale multiplies every limit, leaves at least one call, and at 0 limits nothing", async () => {
  scale("2.5");
  assert.deepEqual([scaledPoints("heartbeat"), scaledPoints("public_read")], [15, 750]);
  scale("0.001");
  assert.equal(scaledPoints("heartbeat"), 1);
  scale("0");
  for (let call = 0; call < 100; call += 1) assert.deepEqual(await countCall(["heartbeat", "registration"], me), {});
});

test("a call is counted against every limit, and refused by the one that it exceeds", async () => {
  limits.page = { ...limits.page, points: 2 };
  for (let call = 0; call < 2; call += 1) assert.equal(await refusalFor(["request", "page"], "me"), undefined);
  const refused = await refusalFor(["request", "page"], "me");
  assert.ok(refused instanceof RateLimited);
  assert.match(refused.headers.RateLimit ?? "", /^"request";r=1197;t=\d+, "page";r=0;t=\d+$/);
  assert.equal(await refusalFor(["request"], "me"), undefined);
  assert.equal(await refusalFor(["request", "page"], "other"), undefined);
  scale("0");
  assert.equal(await refusalFor(["request", "page"], "me"), undefined);
});
