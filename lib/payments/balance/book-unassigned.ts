import { prisma } from "#lib/db/client.ts";
import * as db from "#lib/db/columns.ts";
import type { LedgerAccount } from "#lib/db/generated/client.ts";
import { statement } from "#lib/db/statement.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { FEE_TYPES } from "../gateway/port.ts";

// Movements of Stripe's balance that belong to no settlement are booked too, so that the ledger's cash is the whole balance. A charge
// may seem to belong to none until its payment is recorded; what was booked for it then is taken back by another booking.

/** Movements of the operator's own money, and what Stripe charges for its services. */
const ACCOUNTS: Record<string, LedgerAccount> = {
  payout: "operator",
  payout_failure: "operator",
  payout_cancel: "operator",
  topup: "operator",
  topup_reversal: "operator",
  ...Object.fromEntries(FEE_TYPES.map((type) => [type, "stripe_fees" as const])),
};

/**
 * Whether a balance transaction `b` is one that the ledger has with its settlement. Of those that name a dispute, these are the ones
 * that the dispute itself lists.
 */
export const BELONGS = `(
  EXISTS (SELECT FROM payments p WHERE p.stripe_charge_id = b.source AND p.status = 'succeeded')
  OR EXISTS (SELECT FROM payment_losses l JOIN payments p ON p.id = l.payment_id WHERE l.id = b.source AND p.status = 'succeeded'
    AND (l.balance_transactions IS NULL OR b.id = ANY (l.balance_transactions)))
  OR EXISTS (SELECT FROM transfer_intents i WHERE i.stripe_transfer_id = b.source)
  OR EXISTS (SELECT FROM ledger_transactions t
    WHERE t.kind = 'reversal' AND t.reference = b.source AND t.reference <> ''))`;

/** For so long after it was read, a movement may turn out to belong to a settlement. */
const UNDECIDED_DAYS = 35;
const BATCH = 1_000;

const MOVEMENT = {
  id: db.text,
  type: db.text,
  amount: db.integer,
  fee: db.integer,
  net: db.integer,
  at: db.timestamp,
  bookings: db.integer,
  book: db.boolean,
};
type Row = db.RowOf<typeof MOVEMENT>;

const misplaced = statement(
  "balance.misplaced",
  MOVEMENT,
  `SELECT b.id, b.type, b.amount_pence AS amount, b.fee_pence AS fee, b.net_pence AS net, b.created_at AS at, b.bookings,
     NOT b.booked AS book
   FROM balance_transactions b
   WHERE b.read_at > $1::timestamptz - interval '${UNDECIDED_DAYS} days' AND b.booked = ${BELONGS}
   ORDER BY b.created_at, b.id LIMIT ${BATCH}`,
);

/**
 * Books the movements that belong to no settlement, and takes back those that do after all.
 * @returns how many were booked or taken back
 */
export async function bookUnassigned(ctx: Context): Promise<number> {
  let done = 0;
  for (;;) {
    const rows = await misplaced(ctx.clock.now());
    for (const row of rows) done += await bookOne(ctx, row);
    if (rows.length < BATCH) return done;
  }
}

function bookOne(ctx: Context, row: Row): Promise<number> {
  return transaction(async (tx) => {
    const { id, bookings, book } = row;
    const { count } = await tx.balanceTransaction.updateMany({
      where: { id, bookings, booked: !book },
      data: { booked: book, bookings: bookings + 1 },
    });
    // Another process has booked it.
    if (count === 0) return 0;
    const entries = entriesOf(row).map((entry) => ({ ...entry, amountPence: entry.amountPence * (book ? 1 : -1) }));
    if (entries.length > 0)
      await tx.ledgerTransaction.create({
        data: {
          kind: "balance_transaction",
          reference: bookings === 0 ? id : `${id}#${bookings + 1}`,
          paymentMode: "LIVE",
          // In the month of its movement, except what is taken back later.
          at: bookings === 0 ? row.at : ctx.clock.now(),
          entries: { createMany: { data: entries } },
        },
      });
    return 1;
  });
}

/** The entries of a movement: cash against whose money it is, and Stripe's fee apart. Pure; they sum to zero. */
export function entriesOf({ type, amount, fee, net }: Pick<Row, "type" | "amount" | "fee" | "net">) {
  const account = ACCOUNTS[type] ?? "unassigned";
  const sums = new Map<LedgerAccount, number>([["cash", net]]);
  for (const [name, pence] of [
    ["stripe_fees", fee],
    [account, -amount],
  ] as const)
    sums.set(name, (sums.get(name) ?? 0) + pence);
  return [...sums].flatMap(([name, amountPence]) => (amountPence === 0 ? [] : [{ account: name, amountPence }]));
}

/**
 * Books, once, what was in Stripe's balance before the first movement that is kept: the operator's own money.
 * @param balancePence Stripe's balance now, available and pending, read while nothing moved
 */
export function bookOpening(ctx: Context, balancePence: number): Promise<void> {
  return transaction(async (tx) => {
    const { _sum } = await tx.balanceTransaction.aggregate({ _sum: { netPence: true } });
    const openingPence = balancePence - (_sum.netPence ?? 0);
    const { count } = await tx.balanceReading.updateMany({ where: { openingPence: null }, data: { openingPence } });
    if (count === 0 || openingPence === 0) return;
    const entries = [
      { account: "cash" as const, amountPence: openingPence },
      { account: "operator" as const, amountPence: -openingPence },
    ];
    // Once for each account at Stripe: after a rehearsal was forgotten, its opening is still in the ledger, booked back.
    const reference = (await tx.stripeBinding.findUnique({ where: { id: 1 } }))?.boundAt.toISOString() ?? "";
    const at = ctx.clock.now();
    await tx.ledgerTransaction.create({
      data: { kind: "opening", reference, paymentMode: "LIVE", at, entries: { createMany: { data: entries } } },
    });
  });
}

/** The cash of all LIVE settlements and of the platform itself, by the ledger, in pence. */
export async function ledgerCash(): Promise<number> {
  const { _sum } = await prisma().ledgerEntry.aggregate({
    where: { account: "cash", transaction: { paymentMode: "LIVE" } },
    _sum: { amountPence: true },
  });
  return _sum.amountPence ?? 0;
}
