import assert from "node:assert/strict";
import { test } from "node:test";
import type { Waiting } from "#lib/admin/page-reads/overview.ts";
import { type AdminPath, countWords, shownGroups } from "./places.ts";

const NOTHING: Waiting = {
  reports: 0,
  disputes: 0,
  heldPosts: 0,
  appeals: 0,
  leakedTokens: 0,
  failedEvents: 0,
  openTransfers: 0,
  differences: 0,
  failedJobs: 0,
};
const labels = (waiting: Waiting, isLive: boolean, at: AdminPath = "/admin") =>
  shownGroups(waiting, isLive, at).map(({ places }) => places.map(({ label }) => label));

test("pages about Stripe are only shown where LIVE is configured, or while something waits there", () => {
  const [, , test] = labels(NOTHING, false);
  assert.deepEqual(test, ["Settlements", "Tasks"]);
  assert.deepEqual(labels({ ...NOTHING, failedEvents: 1, differences: 2 }, false)[2], [
    ...["Settlements", "Tasks", "Reconciliation", "Failed events"],
  ]);
  assert.equal(labels(NOTHING, true)[2]?.length, 6);
});

test("the page that is open is always shown", () => {
  assert.deepEqual(labels(NOTHING, false, "/admin/events")[2], ["Settlements", "Tasks", "Stripe events"]);
  assert.equal(labels(NOTHING, false, "/admin/identities?leaked=1")[1]?.length, 5);
});

test("a group counts everything that waits in the lists of its pages", () => {
  const waiting = { ...NOTHING, reports: 1, disputes: 2, heldPosts: 3, appeals: 4, leakedTokens: 5, failedJobs: 6 };
  assert.deepEqual(
    shownGroups(waiting, false, "/admin").map(({ name, count }) => `${name} ${count}`),
    ["Cases 10", "People and agents 5", "Money 0", "System 6"],
  );
});

test("a count that is not exact says so", () => {
  assert.deepEqual([0, 999, 1_000, 1_003].map(countWords), ["0", "999", "1,000+", "1,000+"]);
});
