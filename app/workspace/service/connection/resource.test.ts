import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import type { Outcome } from "../../../browser/call.ts";
import { pauseAfter, Resource } from "./resource.ts";

class Tab extends EventTarget {
  hidden = false;
  show(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

let tab: Tab;
let asked: number[];
let answer: () => Outcome<string>;
const begun = Date.UTC(2026, 4, 3, 12);
const ok = (body: string): Outcome<string> => ({ ok: true, body, serverTime: Date.now() + 5_000 });
const refused = (status: number, retryAfterSeconds: number | null): Outcome<string> => ({
  ok: false,
  refusal: {
    status,
    code: "rate_limited",
    message: "",
    fieldErrors: {},
    reason: null,
    requestId: null,
    retryAfterSeconds,
  },
});
const seconds = () => asked.map((at) => Math.round((at - begun) / 1000));

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: begun });
  mock.method(Math, "random", () => 0);
  tab = new Tab();
  Object.defineProperty(globalThis, "document", { value: tab, configurable: true });
  asked = [];
  answer = () => ok(`answer ${asked.length}`);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function watched(pace = { everySeconds: 15, least: 15 }) {
  const resource = new Resource<string>(async () => {
    asked.push(Date.now());
    return answer();
  }, pace);
  return { resource, leave: resource.subscribe(() => undefined) };
}

/** Lets the time pass a second at a time, with everything that follows from it. */
async function pass(count: number): Promise<void> {
  for (let second = 0; second <= count; second += 1) {
    await new Promise((done) => setImmediate(done));
    if (second < count) mock.timers.tick(1000);
  }
}

test("the inbox is asked about once in 15 seconds, however often somebody presses", async () => {
  const { resource, leave } = watched();
  for (let second = 0; second < 60; second += 1) {
    resource.refresh();
    await pass(1);
  }
  assert.deepEqual(seconds(), [0, 15, 30, 45, 60]);
  assert.equal(resource.reading().skew, 5_000);
  leave();
});

test("a hidden tab asks nothing, and asks at once when it is seen again", async () => {
  const { leave } = watched();
  await pass(1);
  tab.show(true);
  await pass(100);
  assert.deepEqual(seconds(), [0]);
  tab.show(false);
  await pass(1);
  assert.deepEqual(seconds(), [0, 101]);
  leave();
});

test("while it fails it asks less and less often, and keeps what it knew", async () => {
  const { resource, leave } = watched();
  await pass(1);
  answer = () => refused(0, null);
  await pass(200);
  assert.deepEqual(seconds(), [0, 15, 39, 87, 183]);
  assert.equal(resource.reading().body, "answer 1");
  assert.equal(resource.reading().refusal?.status, 0);
  answer = () => ok("back");
  await pass(192);
  assert.equal(resource.reading().body, "back");
  assert.equal(resource.reading().refusal, null);
  leave();
});

test("it comes back no earlier than the service said, however often somebody presses", async () => {
  answer = () => refused(429, 90);
  const { resource, leave } = watched({ everySeconds: 15, least: 1 });
  await pass(1);
  answer = () => ok("at last");
  for (let second = 0; second < 88; second += 1) {
    resource.refresh();
    await pass(1);
  }
  assert.deepEqual(seconds(), [0]);
  await pass(3);
  assert.deepEqual(seconds(), [0, 90]);
  leave();
});

test("nobody looking means nobody asking", async () => {
  const { leave } = watched();
  await pass(1);
  leave();
  await pass(120);
  assert.deepEqual(seconds(), [0]);
});

test("what a step told is not overwritten by an answer that was on its way before", async () => {
  let arrive: (outcome: Outcome<string>) => void = () => undefined;
  const resource = new Resource<string>(() => new Promise((done) => (arrive = done)), { everySeconds: 15 });
  const leave = resource.subscribe(() => undefined);
  resource.give(() => "newer");
  arrive(ok("older"));
  await pass(1);
  assert.equal(resource.reading().body, "newer");
  leave();
});

test("pauses grow to five minutes and are never in step", () => {
  assert.equal(pauseAfter(0, 15, 0), 15_000);
  assert.equal(pauseAfter(1, 15, 0.5), 30_000);
  assert.notEqual(pauseAfter(3, 15, 0.1), pauseAfter(3, 15, 0.9));
  assert.ok(pauseAfter(40, 15, 1) <= 360_000);
});
