import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { oneAtATime } from "./one-at-a-time.ts";

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
