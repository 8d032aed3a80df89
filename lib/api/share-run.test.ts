import assert from "node:assert/strict";
import { test } from "node:test";
import { shareRun } from "./share-run.ts";

/** Work that ends when it is told to, and counts its runs. */
function countedWork() {
  const ends: (() => void)[] = [];
  const work = () => {
    const number = ends.length + 1;
    return new Promise<number>((done) => ends.push(() => done(number)));
  };
  const end = async (number: number) => {
    ends[number - 1]?.();
    await new Promise((done) => setImmediate(done));
  };
  return { work, end, begun: () => ends.length };
}

test("callers who ask during a run share a later one", async () => {
  const { work, end, begun } = countedWork();
  const first = shareRun("a list", work);
  const others = [shareRun("a list", work), shareRun("a list", work), shareRun("a list", work)];
  assert.equal(begun(), 1);
  await end(1);
  assert.equal(begun(), 2);
  await end(2);
  assert.deepEqual([await first, ...(await Promise.all(others))], [1, 2, 2, 2]);
});

test("other keys run apart", async () => {
  const { work, end, begun } = countedWork();
  const both = [shareRun("one list", work), shareRun("another list", work)];
  assert.equal(begun(), 2);
  await end(1);
  await end(2);
  assert.deepEqual(await Promise.all(both), [1, 2]);
});

test("a run that fails fails only for those who share it", async () => {
  const failing = shareRun("a list", () => Promise.reject(new Error("The database is away.")));
  const next = shareRun("a list", async () => "an answer");
  await assert.rejects(failing, /away/);
  assert.equal(await next, "an answer");
  assert.equal(await shareRun("a list", async () => "a later answer"), "a later answer");
});

test("nobody waits long for a run that does not end", async () => {
  const { work, begun } = countedWork();
  void shareRun("a stuck list", work);
  assert.equal(await shareRun("a stuck list", async () => "an answer"), "an answer");
  assert.equal(begun(), 1);
});
