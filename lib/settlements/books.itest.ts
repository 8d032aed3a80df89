import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { admin, reason } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { disputed } from "#testing/money-acts.ts";
import { fc } from "#testing/seed.ts";
import { did, taskAt, type Work } from "#testing/workflow.ts";
import { splitGross } from "./fee.ts";
import { publicSettlement } from "./read.ts";
import type { MySettlementsAnswer } from "./schema.ts";

let requester: TestAgent;
let provider: TestAgent;
testService({}, async () => {
  requester = await registerAgent();
  provider = await verifiedAgent();
});

/** The life of one agreement, as money sees it. */
const ENDS = [
  "agreed",
  "cancelled",
  "under_way",
  "completed",
  "disputed_for_provider",
  "disputed_for_requester",
  "disputed_before_work",
] as const;
type Plan = { grossPence: number; declines: number; pending: number; changes: number; end: (typeof ENDS)[number] };
const plan: fc.Arbitrary<Plan> = fc.record({
  grossPence: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 99_999_999 })),
  declines: fc.nat(2),
  pending: fc.nat(1),
  changes: fc.nat(2),
  end: fc.constantFrom(...ENDS),
});

async function live(
  { grossPence, declines, pending, changes, end }: Plan,
  requester: TestAgent,
  provider: TestAgent,
): Promise<void> {
  const work = await taskAt(
    "accepted",
    { requester, provider },
    { amountPence: grossPence, task: { budget_pence: 99_999_999 } },
  );
  if (grossPence > 0) {
    for (let attempt = 0; attempt < declines; attempt += 1) {
      await did(requester, "fund", work);
      await did(requester, "confirm", work, { outcome: "decline" });
    }
    for (let attempt = 0; attempt < pending; attempt += 1) await did(requester, "fund", work);
  }
  if (end === "agreed") return;
  if (end === "cancelled") {
    await did(requester, "cancel", work);
    return;
  }
  if (grossPence > 0) {
    await did(requester, "fund", work);
    await did(requester, "confirm", work);
  }
  if (end === "disputed_before_work") return dispute(work, "requester");
  await did(provider, "start", work);
  if (end === "under_way") return;
  for (let round = 0; round < changes; round += 1) {
    await did(provider, "submit", work);
    await did(requester, "request_changes", work);
  }
  await did(provider, "submit", work);
  if (end === "disputed_for_requester") return dispute(work, "requester");
  if (end === "disputed_for_provider") await dispute(work, "provider");
  await did(requester, "complete", work);
}

async function dispute(work: Work, resolution: "provider" | "requester"): Promise<void> {
  await resolveDispute(admin, { disputeId: await disputed(work), resolution, reason });
}

const NO_TOTALS = { count: 0, gross_pence: 0, fee_pence: 0, net_pence: 0, refunded_pence: 0, disputed_pence: 0 };

/** What the books must say at the end, worked out from the plans alone. */
function expected(plans: Plan[]) {
  const accounts = {
    cash: 0,
    held: 0,
    provider_payable: 0,
    platform_fees: 0,
    refund_due: 0,
    refunds: 0,
    chargebacks: 0,
    refunds_pending: 0,
    provider_debt: 0,
    stripe_fees: 0,
    dispute_fees: 0,
  };
  const totals = { ...NO_TOTALS };
  for (const { grossPence: gross, end } of plans) {
    const { feePence: fee, netPence: net } = splitGross(gross);
    const isVoid = ["cancelled", "disputed_for_requester", "disputed_before_work"].includes(end);
    if (!isVoid) {
      totals.count += 1;
      totals.gross_pence += gross;
      totals.fee_pence += fee;
      totals.net_pence += net;
    }
    if (end === "agreed" || end === "cancelled") continue;
    accounts.cash += gross;
    if (isVoid) accounts.refund_due -= gross;
    else if (end === "under_way") accounts.held -= gross;
    else {
      accounts.cash -= net;
      accounts.platform_fees -= fee;
    }
  }
  return { accounts, totals };
}

async function accountsOf(requester: TestAgent): Promise<Record<string, number>> {
  const { rows } = await pool().query<{ account: string; sum: string }>(
    `SELECT a.account, coalesce(sum(e.amount_pence), 0) AS sum FROM unnest(enum_range(NULL::ledger_account)) AS a (account)
     LEFT JOIN (ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
       JOIN settlements s ON s.id = t.settlement_id AND s.requester_id = $1) ON e.account = a.account
     WHERE a.account NOT IN ('operator', 'unassigned') GROUP BY 1`,
    [requester.publicId],
  );
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]));
}

/** Rows that contradict each other; there must be none. */
const CONTRADICTIONS: Record<string, string> = {
  "a booking does not balance": "SELECT transaction_id FROM ledger_entries GROUP BY 1 HAVING sum(amount_pence) <> 0",
  "parts do not add up":
    "SELECT id FROM settlements WHERE gross_pence <> fee_pence + net_pence OR net_pence <> gross_pence::bigint * 9 / 10",
  "confirmed without a payment, or the reverse": `SELECT s.id FROM settlements s WHERE (s.funding = 'confirmed') <>
    EXISTS (SELECT FROM payments p WHERE p.contract_id = s.contract_id AND p.status = 'succeeded')`,
  "confirmed without its booking, or the reverse": `SELECT s.id FROM settlements s WHERE (s.funding = 'confirmed') <>
    EXISTS (SELECT FROM ledger_transactions t WHERE t.settlement_id = s.id AND t.kind = 'funding')`,
  "a payment differs from its settlement":
    "SELECT p.id FROM payments p JOIN settlements s USING (contract_id) WHERE p.amount_pence <> s.gross_pence OR p.payment_mode <> s.payment_mode",
  "approved beside completed":
    "SELECT s.id FROM settlements s JOIN tasks t ON t.id = s.task_id WHERE (s.state = 'approved') <> (t.state = 'completed')",
  "void beside cancelled":
    "SELECT s.id FROM settlements s JOIN tasks t ON t.id = s.task_id WHERE (s.state = 'void') <> (t.state = 'cancelled')",
  "a void settlement with a pending payment":
    "SELECT p.id FROM payments p JOIN settlements s USING (contract_id) WHERE s.state <> 'recorded' AND p.status = 'pending'",
  "an agreement without a settlement":
    "SELECT c.id FROM contracts c LEFT JOIN settlements s ON s.contract_id = c.id WHERE (c.state = 'accepted') <> (s.id IS NOT NULL)",
  "figures that differ from the terms":
    "SELECT c.id FROM contracts c JOIN settlements s ON s.contract_id = c.id WHERE s.gross_pence <> (c.terms ->> 'amount_pence')::int OR s.fee_policy <> c.terms -> 'fee_policy'",
  "money that moved in TEST":
    "SELECT id FROM settlements WHERE payment_mode <> 'TEST' OR transfer NOT IN ('none', 'simulated') OR payout <> 'unknown'",
};

type Mine = z.output<typeof MySettlementsAnswer>;
const mine = async (agent: TestAgent, query: Record<string, unknown> = {}) =>
  (await callAs<Mine>(agent, "GET", "/api/v1/settlements/mine.php", query)).body;

test("whatever happens to many agreements at once, the ledger balances and shows it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
      const [customer, worker] = [await registerAgent(), await verifiedAgent()];
      await Promise.all(plans.map((plan) => live(plan, customer, worker)));
      const { accounts, totals } = expected(plans);
      assert.deepEqual(await accountsOf(customer), accounts);
      for (const agent of [customer, worker]) {
        const { settlements, totals: shown } = await mine(agent, { limit: 100 });
        assert.deepEqual(shown, { TEST: totals, LIVE: NO_TOTALS });
        assert.equal(settlements.length, plans.length);
        assert.ok(settlements.every(({ simulated, is_charge }) => simulated && !is_charge));
      }
    }),
    { numRuns: Number(process.env.BOOKS ?? 8), endOnFailure: true },
  );
  for (const [contradiction, sql] of Object.entries(CONTRADICTIONS))
    assert.deepEqual((await pool().query(sql)).rows, [], contradiction);
});

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

test("only its parties can read the settlement of an agreement", async () => {
  const work = await taskAt("accepted", { requester, provider });
  for (const agent of [requester, provider]) {
    const { settlements } = await mine(agent, { contract_id: work.contractId });
    assert.deepEqual(
      settlements.map(({ contract_id }) => contract_id),
      [work.contractId],
    );
  }
  const stranger = await verifiedAgent();
  assert.deepEqual((await mine(stranger, { contract_id: work.contractId })).settlements, []);
  const { settlements, totals, next_cursor: cursor } = await mine(stranger);
  assert.deepEqual([settlements, totals.TEST.count, cursor], [[], 0, null]);
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
        assert.deepEqual(page.totals.TEST, { ...NO_TOTALS, count: 6, gross_pence: 600, fee_pence: 60, net_pence: 540 });
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
