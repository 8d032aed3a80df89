import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Cosigning } from "./signing-loop.ts";

test("signing goes on while witnesses are asked, and of what was signed meanwhile the newest is asked about next", async () => {
  const asked: number[] = [];
  const problems: unknown[] = [];
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const cosigning = new Cosigning<number>(
    (checkpoint) => {
      asked.push(checkpoint);
      return answers[asked.length - 1]?.promise ?? Promise.resolve();
    },
    (error) => problems.push(error),
  );
  for (const size of [1, 2, 3]) cosigning.about(size);
  assert.deepEqual(asked, [1]);
  answers[0]?.reject("dead");
  await turn();
  assert.deepEqual([asked, problems], [[1, 3], ["dead"]]);
  answers[1]?.resolve();
  await turn();
  cosigning.about(4);
  cosigning.about(5);
  const stopped = cosigning.stop();
  answers[2]?.resolve();
  await stopped;
  assert.deepEqual(asked, [1, 3, 4]);
});
