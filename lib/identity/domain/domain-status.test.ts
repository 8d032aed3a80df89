import assert from "node:assert/strict";
import { test } from "node:test";
import { afterCheck, type DomainState } from "./domain-status.ts";

const STATUSES = ["unverified", "verified", "grace", "lapsed"] as const;

test("a success verifies from every status and forgets earlier failures", () => {
  for (const status of STATUSES) {
    for (const cause of ["operator", "schedule"] as const) {
      assert.deepEqual(afterCheck({ status, failures: 2 }, true, cause), { status: "verified", failures: 0 });
    }
  }
});

test("the first scheduled failure starts the grace period, the third in a row ends it", () => {
  const seen: DomainState[] = [{ status: "verified", failures: 0 }];
  for (let i = 0; i < 4; i++) seen.push(afterCheck(seen.at(-1) as DomainState, false, "schedule"));
  assert.deepEqual(
    seen.map(({ status }) => status),
    ["verified", "grace", "grace", "lapsed", "lapsed"],
  );
});

test("a success in between starts the count again", () => {
  let state: DomainState = { status: "verified", failures: 0 };
  for (const ok of [false, false, true, false, false]) state = afterCheck(state, ok, "schedule");
  assert.deepEqual(state, { status: "grace", failures: 2 });
});

test("a failure that the operator asked for changes nothing", () => {
  for (const status of STATUSES) {
    assert.deepEqual(afterCheck({ status, failures: 1 }, false, "operator"), { status, failures: 1 });
  }
});

test("a scheduled failure of a domain that is not proved changes nothing", () => {
  for (const status of ["unverified", "lapsed"] as const) {
    assert.deepEqual(afterCheck({ status, failures: 3 }, false, "schedule"), { status, failures: 3 });
  }
});
