import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { resolveDispute } from "#lib/admin/disputes.ts";
import { pool } from "#lib/db/client.ts";
import { admin } from "#testing/administrator.ts";
import { testService } from "#testing/client.ts";
import { callAs, registerAgent, succeeded, type TestAgent, verifiedAgent } from "#testing/factories.ts";
import { fc } from "#testing/seed.ts";
import { did, taskAt, type Work } from "#testing/workflow.ts";
import { splitGross } from "./fee.ts";
import type { MySettlementsAnswer } from "./schema.ts";

testService();

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
  const { dispute } = await did(work.provider, "dispute", work);
  await resolveDispute(admin, { disputeId: dispute?.dispute_id ?? "", resolution, reason: "test" });
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

test("whatever happens to many agreements at once, the ledger balances and shows it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
      const [requester, provider] = [await registerAgent(), await verifiedAgent()];
      await Promise.all(plans.map((plan) => live(plan, requester, provider)));
      const { accounts, totals } = expected(plans);
      assert.deepEqual(await accountsOf(requester), accounts);
      for (const agent of [requester, provider]) {
        const answer = await callAs<Mine>(agent, "GET", "/api/v1/settlements/mine.php", { limit: 100 });
        succeeded(answer);
        assert.deepEqual(answer.body.totals.TEST, totals);
        assert.deepEqual(answer.body.totals.LIVE, NO_TOTALS);
        assert.equal(answer.body.settlements.length, plans.length);
        assert.ok(answer.body.settlements.every(({ simulated, is_charge }) => simulated && !is_charge));
      }
    }),
    { numRuns: Number(process.env.BOOKS ?? 8), endOnFailure: true },
  );
  for (const [contradiction, sql] of Object.entries(CONTRADICTIONS))
    assert.deepEqual((await pool().query(sql)).rows, [], contradiction);
});
