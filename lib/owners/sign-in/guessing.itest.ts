import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { prisma } from "#lib/db/client.ts";
import { secondsAfter, systemClock } from "#lib/kernel/clock.ts";
import type { Client, Context } from "#lib/kernel/context.ts";
import { newId } from "#lib/kernel/ids.ts";
import { testService } from "#testing/client.ts";
import { configure } from "#testing/configuration.ts";
import { limitGuesses } from "./guessing.ts";
import { rememberDevice } from "./known-device.ts";

testService();

beforeEach(() => configure({ RATE_LIMIT_SCALE: "1" }));

type Guess = { email: string; ownerId?: string; address: string; cookie?: string; at?: Date };

function visit({ address, cookie = "", at }: Guess): Context & { client: Client } {
  return {
    actor: { kind: "visitor" },
    clock: at ? { now: () => at } : systemClock,
    requestId: newId("req"),
    client: { address, userAgent: null, cookie },
  };
}

/** One wrong guess: whether it reached the password check, or how many seconds it has to wait. */
async function guess(of: Guess): Promise<true | number> {
  let checked = false;
  try {
    await limitGuesses(visit(of), { email: of.email, ownerId: of.ownerId }, async () => {
      checked = true;
      return undefined;
    });
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { retryAfterSeconds?: number } };
    assert.equal(code, "rate_limited");
    assert.ok(!checked);
    return details?.retryAfterSeconds ?? 0;
  }
  assert.ok(checked);
  return true;
}

/** Waves of guesses, each guess from another address. */
async function storm(of: { email: string; ownerId?: string }, addresses: number, perAddress: number): Promise<number> {
  let checked = 0;
  for (let turn = 0; turn < perAddress; turn += 1) {
    for (let first = 0; first < addresses; first += 200) {
      const wave = Array.from({ length: 200 }, (_, place) =>
        guess({ ...of, address: `10.${turn}.${Math.floor((first + place) / 250)}.${(first + place) % 250}` }),
      );
      checked += (await Promise.all(wave)).filter((outcome) => outcome === true).length;
    }
  }
  return checked;
}

test("of 2,000 guesses at one account from 1,000 addresses at most 100 reach the password check", async () => {
  const owner = { email: "target@example.com", ownerId: newId("own") };
  const device = rememberDevice(null, owner.ownerId).split(";", 1)[0] ?? "";
  const checked = await storm(owner, 1_000, 2);
  assert.ok(checked >= 10 && checked <= 100, `${checked} were checked`);
  const known = visit({ ...owner, address: "10.0.0.1", cookie: device });
  assert.deepEqual(await limitGuesses(known, owner, async () => "in"), { result: "in", isSlowedFromNow: false });
  const keys = await prisma().rateLimit.count({ where: { key: { startsWith: "sign_in_" } } });
  // One row per checked guess, one for the account and one for the known device.
  assert.ok(keys <= checked + 2, "guesses that were refused leave no rows");
});

test("an address without an account is slowed in the same way", async () => {
  const unknown = { email: "nobody@example.com" };
  const checked = await storm(unknown, 200, 2);
  assert.ok(checked >= 10 && checked <= 100, `${checked} were checked`);
});

test("after ten failures each attempt waits, longer every time and never longer than a minute", async () => {
  let at = systemClock.now();
  let place = 0;
  const next = () => {
    place += 1;
    return guess({ email: "slowed@example.com", address: `198.51.100.${place}`, at });
  };
  for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await next(), true);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const wait = await next();
    assert.ok(wait !== true);
    waits.push(wait);
    at = secondsAfter(at, wait);
    assert.equal(await next(), true, "admitted after the announced wait");
  }
  assert.deepEqual(waits, [2, 4, 8, 16, 32, 60, 60, 60]);
  at = secondsAfter(at, 901);
  for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await next(), true, "15 quiet minutes begin again");
  assert.notEqual(await next(), true);
});

test("an attempt that several limits refuse is told the longest of their waits", async () => {
  const of = { email: "both@example.com", address: "198.51.100.250", at: systemClock.now() };
  for (let attempt = 0; attempt < 10; attempt += 1) assert.equal(await guess(of), true);
  const wait = await guess(of);
  assert.ok(
    typeof wait === "number" && wait > 800,
    `${wait} s: the address has used up its ten failures at this account`,
  );
  for (let place = 0; place < 50; place += 1) await guess({ ...of, email: `each-${place}@example.com` });
  const slowed = { ...of, email: "slowed-too@example.com" };
  for (let place = 0; place < 10; place += 1) await guess({ ...slowed, address: `198.51.101.${place}` });
  const longer = await guess(slowed);
  assert.ok(typeof longer === "number" && longer > 800, `${longer} s: the address has used up its sixty failures`);
});

test("when one attempt is due, one of many simultaneous attempts is admitted", async () => {
  const at = systemClock.now();
  const attempt = (place: number, when: Date) =>
    guess({ email: "race@example.com", address: `203.0.113.${place}`, at: when });
  for (let place = 0; place < 10; place += 1) await attempt(place, at);
  const later = secondsAfter(at, 3);
  const outcomes = await Promise.all(Array.from({ length: 40 }, (_, place) => attempt(100 + place, later)));
  assert.equal(outcomes.filter((outcome) => outcome === true).length, 1);
});

test("a known device has its own ten failures, and a copied or another account's device cookie gives no more", async () => {
  const [owner, other] = [newId("own"), newId("own")];
  const device = rememberDevice(null, owner).split(";", 1)[0] ?? "";
  const of = { email: "known@example.com", ownerId: owner, cookie: device };
  const outcomes: (true | number)[] = [];
  for (let place = 0; place < 12; place += 1) outcomes.push(await guess({ ...of, address: `192.0.2.${place}` }));
  assert.equal(outcomes.filter((outcome) => outcome === true).length, 10);
  const theirs = { email: "other@example.com", ownerId: other, cookie: device };
  const guesses: (true | number)[] = [];
  for (let place = 0; place < 20; place += 1) guesses.push(await guess({ ...theirs, address: `192.0.2.${place}` }));
  assert.equal(guesses.filter((outcome) => outcome === true).length, 10);
});

test("one address can fail sixty times in fifteen minutes, over all accounts", async () => {
  const outcomes: (true | number)[] = [];
  for (let place = 0; place < 70; place += 1) {
    outcomes.push(await guess({ email: `many-${place}@example.com`, address: "198.51.100.200" }));
  }
  assert.equal(outcomes.filter((outcome) => outcome === true).length, 60);
});
