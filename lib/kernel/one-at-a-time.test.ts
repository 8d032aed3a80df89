import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { newestOnly, oneAtATime } from "./one-at-a-time.ts";

test("calls during a run share one run after it, whether that one succeeds or not", async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = oneAtATime(() => {
    runs.push(Promise.withResolvers());
    return (runs.at(-1) as PromiseWithResolvers<void>).promise;
  });
  const ended: string[] = [];
  const note = (name: string, done: Promise<void>) =>
    void done.then(() => ended.push(name)).catch(() => ended.push(`${name} failed`));
  note("first", call());
  for (const name of ["second", "third"]) note(name, call());
  assert.equal(runs.length, 1);
  runs[0]?.reject(new Error("no"));
  await turn();
  assert.deepEqual([runs.length, ended], [2, ["first failed"]]);
  note("fourth", call());
  runs[1]?.resolve();
  await turn();
  assert.deepEqual([runs.length, ended], [3, ["first failed", "second", "third"]]);
  runs[2]?.resolve();
  await turn();
  assert.equal(ended.at(-1), "fourth");
  void call();
  assert.equal(runs.length, 4, "without a run, a call begins one at once");
});

test("a call from somebody who waited for a run never starts one beside the run that is due", async () => {
  let [active, most, runs] = [0, 0, 0];
  const call = oneAtATime(async () => {
    runs += 1;
    active += 1;
    most = Math.max(most, active);
    await turn();
    active -= 1;
  });
  const again = call().then(() => call());
  await Promise.all([call(), again]);
  assert.deepEqual([most, runs], [1, 2]);
});

test("of the items that come while one is handled, the newest is next, and stopping drops it", async () => {
  const handled: number[] = [];
  const problems: unknown[] = [];
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const items = newestOnly<number>(
    (item) => {
      handled.push(item);
      return answers[handled.length - 1]?.promise ?? Promise.resolve();
    },
    (error) => problems.push(error),
  );
  for (const item of [1, 2, 3]) items.add(item);
  assert.deepEqual(handled, [1]);
  answers[0]?.reject("dead");
  await turn();
  assert.deepEqual([handled, problems], [[1, 3], ["dead"]]);
  answers[1]?.resolve();
  await turn();
  items.add(4);
  items.add(5);
  const stopped = items.stop();
  answers[2]?.resolve();
  await stopped;
  assert.deepEqual(handled, [1, 3, 4]);
});
