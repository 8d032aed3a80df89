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

function watched(pace = { everySeconds: 15, minSeconds: 15 }) {
  const resource = new Resource<string>(async () => {
    asked.push(Date.now());
    return answer();
  }, pace);
  return { resource, leave: resource.subscribe(() => undefined) };
}

/** Advances the clock one second at a time and runs what becomes due. */
async function pass(count: number): Promise<void> {
  for (let second = 0; second <= count; second += 1) {
    await new Promise((done) => setImmediate(done));
    if (second < count) mock.timers.tick(1000);
  }
}

test("the inbox is read at most once in 15 seconds, however often the reader refreshes", async () => {
  const { resource, leave } = watched();
  for (let second = 0; second < 60; second += 1) {
    resource.refresh();
    await pass(1);
  }
  assert.deepEqual(seconds(), [0, 15, 30, 45, 60]);
  assert.equal(resource.reading().skew, 5_000);
  leave();
});

test("a hidden tab does not poll, and polls at once when it is shown again", async () => {
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

test("after failures it polls less often and keeps the last body", async () => {
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

test("Retry-After is respected, however often the reader refreshes", async () => {
  answer = () => refused(429, 90);
  const { resource, leave } = watched({ everySeconds: 15, minSeconds: 1 });
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

test("a resource that no component watches is not polled", async () => {
  const { leave } = watched();
  await pass(1);
  leave();
  await pass(120);
  assert.deepEqual(seconds(), [0]);
});

test("a list that is opened again is read at once, unless it was read just now", async () => {
  const { resource, leave } = watched({ everySeconds: 60, minSeconds: 1 });
  await pass(1);
  leave();
  await pass(3);
  resource.subscribe(() => undefined)();
  await pass(7);
  const leaveAgain = resource.subscribe(() => undefined);
  await pass(1);
  leaveAgain();
  assert.deepEqual(seconds(), [0, 11]);
});

test("an update is not overwritten by a read that was pending before it", async () => {
  let arrive: (outcome: Outcome<string>) => void = () => undefined;
  const resource = new Resource<string>(() => new Promise((done) => (arrive = done)), { everySeconds: 15 });
  const leave = resource.subscribe(() => undefined);
  resource.update(() => "newer");
  arrive(ok("older"));
  await pass(1);
  assert.equal(resource.reading().body, "newer");
  leave();
});

test("pauses grow to five minutes and differ between tabs", () => {
  assert.equal(pauseAfter(0, 15, 0), 15_000);
  assert.equal(pauseAfter(1, 15, 0.5), 30_000);
  assert.notEqual(pauseAfter(3, 15, 0.1), pauseAfter(3, 15, 0.9));
  assert.ok(pauseAfter(40, 15, 1) <= 360_000);
});
