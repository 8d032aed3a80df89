import assert from "node:assert/strict";
import { test } from "node:test";
import { pool } from "#lib/db/client.ts";
import { testService } from "#testing/client.ts";
import { registerAgent, verifiedAgent } from "#testing/factories.ts";
import { taskAt } from "#testing/workflow.ts";
import { readNumbers, WEEKS, weeksUntil } from "./numbers.ts";

testService();

test("numbers are counted per week from Monday in UTC, separately for each mode", async () => {
  const [requester, provider] = [await registerAgent(), await verifiedAgent()];
  const before = await readNumbers(new Date());
  await taskAt("completed", { requester, provider }, { amountPence: 1_000 });
  const now = new Date();
  const numbers = await readNumbers(now);
  const grown = (one: number[], other: number[]) => (other.at(-1) ?? 0) - (one.at(-1) ?? 0);
  assert.deepEqual(
    [
      grown(before.tasks, numbers.tasks),
      grown(before.completions, numbers.completions),
      grown(before.settled.TEST.gross, numbers.settled.TEST.gross),
      grown(before.settled.TEST.fee, numbers.settled.TEST.fee),
      numbers.taskStates.completed - before.taskStates.completed,
    ],
    [1, 1, 1_000, 100, 1],
  );
  assert.deepEqual(numbers.settled.LIVE.gross, Array(WEEKS).fill(0));
  assert.equal(numbers.registrations.length, WEEKS);
  await pool().query("UPDATE identities SET created_at = created_at - interval '7 days' WHERE id = $1", [
    requester.publicId,
  ]);
  const shifted = await readNumbers(now);
  assert.equal((shifted.registrations.at(-2) ?? 0) - (numbers.registrations.at(-2) ?? 0), 1);
});

test("weeks begin on Monday, on every day of the week", () => {
  for (const [day, monday] of [
    ["2026-11-16T00:00:00Z", "2026-11-16"],
    ["2026-11-22T23:59:59Z", "2026-11-16"],
    ["2026-11-23T00:00:00Z", "2026-11-23"],
  ] as const)
    assert.equal(weeksUntil(new Date(day)).at(-1)?.toISOString().slice(0, 10), monday);
});
