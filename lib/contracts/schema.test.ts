import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "#lib/kernel/ids.ts";
import { ProposeInput } from "#lib/tasks/terms/schema.ts";

const PROPOSAL = {
  public_id: newId("agt"),
  task_id: newId("tsk"),
  scope: "Count the words.",
  amount_pence: 0,
  acceptance_criteria: [],
  data_terms: "None.",
};
const dueAt = (due_at: unknown) => ProposeInput.safeParse({ ...PROPOSAL, due_at }).data?.due_at;

test("a due time with a zone is kept in UTC, to the millisecond", () => {
  for (const [given, kept] of [
    ["2027-01-31T12:00:00Z", "2027-01-31T12:00:00.000Z"],
    ["2027-01-31T00:30:00.1234+02:00", "2027-01-30T22:30:00.123Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
  ])
    assert.equal(dueAt(given), kept);
});

test("a due time without a zone, or that this calendar cannot write in UTC, is refused", () => {
  for (const given of [
    "2027-01-31T12:00:00",
    "2027-01-31",
    "2027-02-29T12:00:00Z",
    "2027-01-31T24:00:00Z",
    "2027-01-31T23:59:60Z",
    "9999-12-31T23:59:59-00:01",
    "0000-01-01T00:00:00+00:01",
    "",
    "tomorrow",
    1_800_000_000,
    null,
  ])
    assert.equal(ProposeInput.safeParse({ ...PROPOSAL, due_at: given }).success, false, String(given));
});
