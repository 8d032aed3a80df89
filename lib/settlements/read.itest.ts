import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { did, taskAt } from "#testing/workflow.ts";
import { publicSettlement } from "./read.ts";
import type { MySettlementsAnswer } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent();
});

type Mine = z.output<typeof MySettlementsAnswer>;
const mine = async (agent: TestAgent, query: Record<string, unknown> = {}) =>
  (await callAs<Mine>(agent, "GET", "/api/v1/settlements/mine.php", query)).body;

test("a settlement shows what was agreed from the start, and its state after each step", async () => {
  const work = await taskAt("accepted", { requester, provider }, { amountPence: 999 });
  const read = async () => {
    const found = (await mine(provider)).settlements.find(({ task_id }) => task_id === work.taskId);
    assert.ok(found);
    return found;
  };
  const first = await read();
  assert.deepEqual([first.gross_pence, first.fee_pence, first.net_pence], [999, 100, 899]);
  assert.deepEqual(first.fee_policy, { bps: 1_000, rounding: "net_down", minimum_live_pence: 999 });
  const facts = async () => {
    const { state, funding, transfer, payout, is_charge, simulated } = await read();
    return [state, funding, transfer, payout, is_charge, simulated];
  };
  assert.deepEqual(await facts(), ["recorded", "required", "none", "unknown", false, true]);
  await did(requester, "fund", work);
  assert.deepEqual(await facts(), ["recorded", "pending", "none", "unknown", false, true]);
  await did(requester, "confirm", work);
  assert.deepEqual(await facts(), ["recorded", "confirmed", "none", "unknown", false, true]);
  await did(provider, "start", work);
  await did(provider, "submit", work);
  const { settlement } = await did(requester, "complete", work);
  assert.deepEqual(await facts(), ["approved", "confirmed", "simulated", "unknown", false, true]);
  assert.deepEqual(await read(), settlement);
  assert.ok(settlement?.funded_at && settlement.approved_at && settlement.transferred_at && !settlement.paid_out_at);
});

test("a free agreement has a settlement of zero, which needs no funding", async () => {
  const work = await taskAt("completed", { requester, provider }, { amountPence: 0 });
  const found = (await mine(requester)).settlements.find(({ task_id }) => task_id === work.taskId);
  assert.deepEqual(
    [found?.gross_pence, found?.fee_pence, found?.net_pence, found?.funding, found?.state],
    [0, 0, 0, "not_required", "approved"],
  );
});

test("everyone may know how far an agreement's money has come, but not what is under way or why it waits", async () => {
  const work = await taskAt("accepted", { requester, provider }, { amountPence: 999 });
  const known = async () => {
    const shown = await publicSettlement(work.contractId);
    return [shown?.state, shown?.gross_pence, shown?.funding, shown?.transfer, shown?.payout];
  };
  await did(requester, "fund", work);
  assert.deepEqual(await known(), ["recorded", 999, "required", "none", "unknown"]);
  await did(requester, "confirm", work);
  assert.deepEqual(await known(), ["recorded", 999, "confirmed", "none", "unknown"]);
  const text = JSON.stringify(await publicSettlement(work.contractId));
  assert.doesNotMatch(text, /debt|withheld|due|holds|payout_detail/);
  assert.equal(await publicSettlement("con_unknown"), undefined);
});

test("only its parties can find the settlement of an agreement", async () => {
  const work = await taskAt("accepted", { requester, provider });
  for (const agent of [requester, provider]) {
    const { settlements } = await mine(agent, { contract_id: work.contractId });
    assert.deepEqual(
      settlements.map(({ contract_id }) => contract_id),
      [work.contractId],
    );
  }
  assert.deepEqual((await mine(await verifiedAgent(), { contract_id: work.contractId })).settlements, []);
});

test("the list is newest first without gaps or repetitions, and its totals cover all pages", async () => {
  const [customer, worker] = [await registerAgent(), await verifiedAgent()];
  const made: string[] = [];
  for (let n = 0; n < 8; n += 1)
    made.unshift(
      (await taskAt(n % 4 ? "accepted" : "cancelled", { requester: customer, provider: worker }, { amountPence: 100 }))
        .taskId,
    );
  for (const agent of [customer, worker]) {
    for (const limit of [1, 3, 8, 100]) {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Mine = await mine(agent, { limit, ...(cursor ? { cursor } : {}) });
        found.push(...page.settlements.map(({ task_id }) => task_id));
        assert.deepEqual(page.totals.TEST, {
          count: 6,
          gross_pence: 600,
          fee_pence: 60,
          net_pence: 540,
          refunded_pence: 0,
          disputed_pence: 0,
        });
        cursor = page.next_cursor;
      } while (cursor);
      assert.deepEqual(found, made);
    }
  }
});

test("an empty page keeps its place, and a cursor of another list is refused", async () => {
  const { next_cursor: cursor } = await mine(requester, { limit: 1 });
  const empty = await mine(requester, { limit: 0, cursor });
  assert.deepEqual([empty.settlements, empty.next_cursor], [[], cursor]);
  for (const bad of ["", "x", "12"])
    assert.equal((await callAs(requester, "GET", "/api/v1/settlements/mine.php", { cursor: bad })).status, 422);
});

test("nobody can read the settlements of others", async () => {
  const stranger = await mine(await verifiedAgent());
  assert.deepEqual([stranger.settlements, stranger.totals.TEST.count, stranger.next_cursor], [[], 0, null]);
});
