import type { z } from "zod";
import * as db from "#lib/db/columns.ts";
import type { Settlement } from "#lib/db/generated/client.ts";
import { END, firstRows } from "#lib/db/list.ts";
import { statement } from "#lib/db/statement.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { page } from "#lib/kernel/cursor.ts";
import { loadHoldFacts } from "./hold-facts.ts";
import type { MySettlementsInput, SettlementWire } from "./schema.ts";
import { settlementView } from "./view.ts";

const sums = statement(
  "settlement.totals",
  {
    mode: db.paymentMode,
    count: db.integer,
    gross: db.bigint,
    fee: db.bigint,
    net: db.bigint,
    refunded: db.bigint,
    disputed: db.bigint,
  },
  `SELECT payment_mode AS mode, settlements AS count, gross_pence AS gross, fee_pence AS fee, net_pence AS net,
     refunded_pence AS refunded, disputed_pence AS disputed
   FROM settlement_totals WHERE party_id = $1`,
);

const SETTLEMENT = {
  id: db.text.from("s.id"),
  seq: db.bigint.from("s.seq"),
  contractId: db.text.from("s.contract_id"),
  taskId: db.text.from("s.task_id"),
  requesterId: db.text.from("s.requester_id"),
  providerId: db.text.from("s.provider_id"),
  paymentMode: db.paymentMode.from("s.payment_mode"),
  grossPence: db.integer.from("s.gross_pence"),
  feePence: db.integer.from("s.fee_pence"),
  netPence: db.integer.from("s.net_pence"),
  refundedPence: db.integer.from("s.refunded_pence"),
  disputedPence: db.integer.from("s.disputed_pence"),
  netUnwoundPence: db.integer.from("s.net_unwound_pence"),
  debtPence: db.integer.from("s.debt_pence"),
  withheldPence: db.integer.from("s.withheld_pence"),
  awardedPence: db.nullable(db.integer).from("s.awarded_pence"),
  feePolicy: db.jsonb<Settlement["feePolicy"]>().from("s.fee_policy"),
  state: db.settlementState.from("s.state"),
  funding: db.funding.from("s.funding"),
  transfer: db.transferState.from("s.transfer"),
  payout: db.payoutState.from("s.payout"),
  payoutUnattributed: db.boolean.from("s.payout_unattributed"),
  recordedAt: db.timestamp.from("s.recorded_at"),
  fundedAt: db.nullable(db.timestamp).from("s.funded_at"),
  approvedAt: db.nullable(db.timestamp).from("s.approved_at"),
  voidedAt: db.nullable(db.timestamp).from("s.voided_at"),
  transferredAt: db.nullable(db.timestamp).from("s.transferred_at"),
  paidOutAt: db.nullable(db.timestamp).from("s.paid_out_at"),
};
// Two walks, because one condition on both columns would gather all of a party's settlements and sort them. Each is bounded and
// ordered by both columns of the index: by `seq` alone the planner walks everybody's, where one party has most of them.
const asSide = (side: "requester" | "provider") =>
  `(${firstRows(`SELECT * FROM settlements WHERE (${side}_id, seq) < ($1, $2) AND ${side}_id >= $1 ORDER BY ${side}_id DESC, seq DESC`, "$3")})`;
const newest = statement(
  "settlement.mine",
  SETTLEMENT,
  `SELECT ${db.select(SETTLEMENT)} FROM (${asSide("requester")} UNION ALL ${asSide("provider")}) s ORDER BY s.seq DESC LIMIT $3`,
);

const ofContract = statement(
  "settlement.of_contract",
  SETTLEMENT,
  `SELECT ${db.select(SETTLEMENT)} FROM settlements s WHERE s.contract_id = $4 AND $1 IN (s.requester_id, s.provider_id) AND s.seq < $2 LIMIT $3`,
);

const published = statement(
  "settlement.published",
  SETTLEMENT,
  `SELECT ${db.select(SETTLEMENT)} FROM settlements s WHERE s.contract_id = $1`,
);

/**
 * What everyone may know of an agreement's money, which is what its task's evidence says: the amounts, and how far they have come. Why a
 * transfer waits, and what the provider owes, stays between the parties. The caller has checked that the task is visible.
 */
export async function publicSettlement(contractId: string): Promise<PublicSettlement | undefined> {
  const [row] = await published(contractId);
  if (!row) return undefined;
  const { debt_pence, withheld_pence, refund_due_pence, payout_detail, transfer_holds, ...known } = settlementView(row);
  const { funding, transfer, payout } = known;
  return {
    ...known,
    // What is under way is in no statement yet.
    funding: funding === "pending" ? "required" : funding,
    transfer: transfer === "queued" ? "none" : transfer,
    payout: payout === "pending" ? "unknown" : payout,
  };
}
type PublicSettlement = Omit<
  SettlementWire,
  "debt_pence" | "withheld_pence" | "refund_due_pence" | "payout_detail" | "transfer_holds"
>;

const none = { count: 0, gross_pence: 0, fee_pence: 0, net_pence: 0, refunded_pence: 0, disputed_pence: 0 };

/** The caller's settlements, newest first, and their totals per payment mode (without the void ones). */
export async function mySettlements(ctx: ServiceContext, input: z.output<typeof MySettlementsInput>) {
  const reach = [ctx.actor.id, input.cursor ?? END, input.limit + 1];
  const [found, totals] = await Promise.all([
    input.contract_id ? ofContract(...reach, input.contract_id) : newest(...reach),
    sums(ctx.actor.id),
  ]);
  const { rows, nextCursor } = page(found, input);
  const holds = await loadHoldFacts(rows.flatMap(({ id, transfer }) => (transfer === "queued" ? [id] : [])));
  const perMode = Object.fromEntries(
    totals.map(({ mode, count, gross, fee, net, refunded, disputed }) => [
      mode,
      {
        count,
        gross_pence: Number(gross),
        fee_pence: Number(fee),
        net_pence: Number(net),
        refunded_pence: Number(refunded),
        disputed_pence: Number(disputed),
      },
    ]),
  );
  return {
    settlements: rows.map((row) => settlementView(row, holds.get(row.id))),
    totals: { TEST: none, LIVE: none, ...perMode },
    next_cursor: nextCursor,
  };
}
