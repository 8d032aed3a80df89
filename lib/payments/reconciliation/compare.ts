import { prisma } from "#lib/db/client.ts";
import type { Settlement, TransferIntent } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { formatPence, sum } from "#lib/kernel/money.ts";
import { correct, givenOf, readLedger } from "#lib/settlements/ledger.ts";
import { refundDueOf } from "#lib/settlements/view.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { ENDED_DISPUTES } from "../chargebacks.ts";
import { type Reading, readPayment } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import type { Charge, SentTransfer } from "../gateway/port.ts";
import { recordTransfer } from "../transfers/record.ts";
import type { Finding } from "./differences.ts";

/**
 * Reads everything that Stripe has for a settlement, records what is new, and returns what still does not agree.
 * @throws ProcessorError
 */
export async function compareSettlement(ctx: Context, settlementId: string): Promise<Finding[]> {
  const first = await compareOnce(ctx, settlementId);
  // Something may have changed between reading and comparing: only what is found twice is a finding.
  return first.length > 0 ? compareOnce(ctx, settlementId) : first;
}

async function compareOnce(ctx: Context, settlementId: string): Promise<Finding[]> {
  const settlement = await prisma().settlement.findUniqueOrThrow({ where: { id: settlementId } });
  const payments = await prisma().payment.findMany({
    where: { contractId: settlement.contractId, paymentMode: "LIVE", NOT: endedUnpaid(ctx) },
    select: { id: true },
  });
  const readings: Reading[] = [];
  for (const { id } of payments) {
    const reading = await readPayment(ctx, id);
    if (reading) readings.push(reading);
  }
  const known = new Set(readings.flatMap(({ payment, charge }) => [payment.stripeChargeId, charge?.chargeId]));
  const charges = await (await liveGateway()).listCharges(settlementId);
  const unknown = charges.filter(({ chargeId }) => !known.has(chargeId));
  // It may have been made at another checkout of the same payment.
  for (const [at, { payment }] of readings.entries()) {
    if (!unknown.some(({ paymentId }) => paymentId === payment.id)) continue;
    const reading = await readPayment(ctx, payment.id, true);
    if (reading) readings[at] = reading;
  }
  const transfers = await (await liveGateway()).listTransfers(settlementId);
  const intents = new Set(
    (await prisma().transferIntent.findMany({ where: { settlementId }, select: { id: true } })).map(({ id }) => id),
  );
  const ours = transfers.filter(({ transferId }) => transferId !== null && intents.has(transferId));
  for (const transfer of ours) await transaction((tx) => recordTransfer(tx, ctx, settlementId, transfer));
  await transaction(async (tx) => {
    await lockTask(tx, settlement.taskId);
    await correct(tx, ctx, await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } }));
  });
  const found = [
    ...readings.flatMap((reading) => paymentFindings(reading, ctx.clock.now())),
    ...(await extraCharges(readings, unknown)),
    ...(await transferFindings(settlement, transfers)),
    ...doubleActs(readings, ours),
    ...chargebackFindings(readings, givenOf((await readLedger(prisma(), settlementId)).moved), ctx.clock.now()),
    ...(await cashFindings(settlement, readings, transfers)),
  ];
  return found.map((finding) => ({ ...finding, settlementId }));
}

/** Payments whose checkout has ended without a charge for a day: nothing can follow. */
const endedUnpaid = (ctx: Context) => ({
  status: { in: ["declined" as const, "expired" as const, "canceled" as const] },
  stripeChargeId: null,
  settledAt: { lt: secondsAfter(ctx.clock.now(), -86_400) },
  checkedAt: { gt: prisma().payment.fields.settledAt },
});

type Found = Omit<Finding, "settlementId">;

const lostOf = ({ losses }: Charge) => sum(losses.map(({ gonePence }) => gonePence));
/** What has arrived with the payer or the payer's bank, and what is on its way and may still fail. */
const settledOf = ({ losses }: Charge) => sum(losses.map(({ pending, gonePence }) => (pending ? 0 : gonePence)));
const pendingOf = ({ losses }: Charge) => sum(losses.map(({ pending, amountPence }) => (pending ? amountPence : 0)));
/** What Stripe kept for itself, of the charge and because of disputes. */
const feesOf = ({ feePence, losses }: Charge) => (feePence ?? 0) + sum(losses.map((loss) => loss.feePence));
/** What is left of a transfer after its reversals. */
const remainderOf = ({ amountPence, reversals }: SentTransfer) =>
  amountPence - sum(reversals.map((reversal) => reversal.amountPence));

/** Stripe adds a charge to the balance within an hour. */
const BALANCE_SECONDS = 3_600;

function paymentFindings({ payment, checkout, charge }: Reading, now: Date): Found[] {
  const found: Found[] = [];
  const isLate = payment.settledAt !== null && secondsAfter(payment.settledAt, BALANCE_SECONDS) <= now;
  if (payment.status === "succeeded" && charge?.feePence === null && isLate)
    found.push({
      kind: "charge_pending",
      subjectId: payment.id,
      books: `${formatPence(payment.amountPence)} taken`,
      stripe: `${charge.chargeId} is not in the balance after an hour`,
      remedy:
        "Look at this charge in Stripe's dashboard, and ask Stripe if it stays like that. The balance is compared without it.",
    });
  if (payment.status === "succeeded" && checkout?.status !== "paid")
    found.push({
      kind: "payment_missing",
      subjectId: payment.id,
      books: `${formatPence(payment.amountPence)} taken`,
      stripe: checkout ? `the checkout is ${checkout.status}` : "no such checkout",
      remedy: "Look at this payment in Stripe's dashboard: is this the right Stripe account?",
    });
  // A charge that does not match its payment is recorded with it, and funds nothing.
  const isMisfit = payment.stripeChargeId !== null && payment.status !== "succeeded";
  const isKept = !charge || charge.amountPence > lostOf(charge);
  if (isMisfit && isKept)
    found.push({
      kind: "payment_misfit",
      subjectId: payment.id,
      books: `${formatPence(payment.amountPence)} ordered, nothing taken`,
      stripe: payment.problem ?? "a charge that does not match",
      remedy: "Refund the charge in Stripe's dashboard. It has funded nothing here.",
    });
  return found;
}

/** Charges for a settlement that are not the one of any of its payments, and have not been refunded. */
async function extraCharges(readings: Reading[], unknown: Charge[]): Promise<Found[]> {
  const counted = new Set(readings.map(({ charge }) => charge?.chargeId));
  const found: Found[] = [];
  for (const { chargeId, intentId, paymentId } of unknown) {
    if (counted.has(chargeId)) continue;
    const charge = await (await liveGateway()).readCharge(intentId);
    const left = charge ? charge.amountPence - lostOf(charge) : 0;
    if (left <= 0) continue;
    found.push({
      kind: "double_payment",
      subjectId: chargeId,
      books: readings.some(({ payment }) => payment.status === "succeeded")
        ? "paid by another charge"
        : "nothing taken",
      stripe: `${chargeId} over ${formatPence(left)}${paymentId ? ` for payment ${paymentId}` : ""}`,
      remedy: "Decide whether to refund this charge in Stripe's dashboard. It has funded nothing here.",
    });
  }
  return found;
}

async function transferFindings({ id }: Settlement, transfers: SentTransfer[]): Promise<Found[]> {
  const sent = await prisma().transferIntent.findMany({ where: { settlementId: id, stripeTransferId: { not: null } } });
  const known = new Map(sent.map((intent) => [intent.stripeTransferId, intent]));
  const unknown = transfers.filter((each) => remainderOf(each) > 0 && !known.has(each.stripeTransferId));
  const words = ({ stripeTransferId, amountPence }: TransferIntent) =>
    `${stripeTransferId} over ${formatPence(amountPence)}`;
  const found = unknown.map(
    (each): Found => ({
      kind: "unknown_transfer",
      subjectId: each.stripeTransferId,
      books: sent.map(words).join(", ") || "no transfer",
      stripe: `${each.stripeTransferId} over ${formatPence(each.amountPence)} for settlement ${id}`,
      remedy: "Find out who made it. If nobody should have, reverse it in Stripe's dashboard.",
    }),
  );
  const atStripe = new Set(transfers.map(({ stripeTransferId }) => stripeTransferId));
  for (const intent of sent.filter(({ stripeTransferId }) => !atStripe.has(stripeTransferId ?? "")))
    found.push({
      kind: "transfer_missing",
      subjectId: intent.id,
      books: words(intent),
      stripe: "no such transfer",
      remedy: "Look for this transfer in Stripe's dashboard: is this the right Stripe account?",
    });
  return found;
}

/** Refunds and reversals that name an act which another one has already carried out. */
function doubleActs(readings: Reading[], transfers: SentTransfer[]): Found[] {
  const refunds = readings.flatMap(({ charge }) =>
    (charge?.losses ?? []).filter(({ gonePence, pending }) => gonePence > 0 || pending),
  );
  const made = [...refunds, ...transfers.flatMap(({ reversals }) => reversals)].filter(({ actId }) => actId !== null);
  const byAct = Map.groupBy(made, ({ actId }) => actId);
  return [...byAct.values()].flatMap(([first, ...others]) =>
    others.map(
      (other): Found => ({
        kind: "double_act",
        subjectId: other.id,
        books: `one act, ${first?.actId}`,
        stripe: `${other.id} over ${formatPence(other.amountPence)} beside ${first?.id}`,
        remedy: "Stripe carried out an act twice. Decide with both parties who returns the surplus.",
      }),
    ),
  );
}

/** A chargeback that has ended stays reported for so many days, unless the transfer is reversed. */
const ENDED_DAYS = 30;

/** Chargebacks of money that the provider already has: somebody must answer them, or decide about the transfer. */
function chargebackFindings(readings: Reading[], withProvider: number, now: Date): Found[] {
  if (withProvider <= 0) return [];
  const recent = secondsAfter(now, -ENDED_DAYS * 86_400);
  return readings.flatMap(({ charge }) =>
    (charge?.losses ?? []).flatMap(({ id, kind, status, amountPence, gonePence, dueBy, createdAt }): Found[] => {
      if (kind !== "chargeback") return [];
      const isOpen = !ENDED_DISPUTES.includes(status);
      const isLoss = !isOpen && gonePence > 0 && createdAt > recent;
      if (!isOpen && !isLoss) return [];
      return [
        {
          kind: "chargeback",
          subjectId: id,
          books: `${formatPence(withProvider)} transferred to the provider`,
          stripe: `${formatPence(amountPence)} disputed by the payer's bank (${status}), ${formatPence(gonePence)} taken`,
          remedy: isOpen
            ? "Answer the dispute in Stripe's dashboard before its deadline, and decide whether to reverse the transfer (reverse-transfer)."
            : "The dispute is over and money is gone. Decide whether to reverse the transfer (reverse-transfer); otherwise the platform bears the loss.",
          dueBy: isOpen ? dueBy : null,
        },
      ];
    }),
  );
}

/** Compares the cash that a settlement has left with the platform, by our ledger and by Stripe's objects. */
async function cashFindings(settlement: Settlement, readings: Reading[], transfers: SentTransfer[]): Promise<Found[]> {
  const { _sum } = await prisma().ledgerEntry.aggregate({
    where: { account: "cash", transaction: { settlementId: settlement.id } },
    _sum: { amountPence: true },
  });
  const books = _sum.amountPence ?? 0;
  const charges = readings.flatMap(({ charge }) => (charge?.paid ? [charge] : []));
  const lost = sum(charges.map(lostOf));
  const fees = sum(
    readings.map(({ payment, charge }) => (payment.status === "succeeded" && charge ? feesOf(charge) : 0)),
  );
  const stripe = sum(charges.map(({ amountPence }) => amountPence)) - fees - lost - sum(transfers.map(remainderOf));
  const found: Found[] = [];
  if (books !== stripe)
    found.push({
      kind: "cash",
      subjectId: settlement.id,
      books: formatPence(books),
      stripe: formatPence(stripe),
      remedy:
        "Compare the settlement's ledger with its payment, refunds, disputes and transfers in Stripe's dashboard.",
    });
  const due = refundDueOf(settlement, sum(charges.map(settledOf)));
  const pending = sum(charges.map(pendingOf));
  if (due > 0)
    found.push({
      kind: "refund_due",
      subjectId: settlement.id,
      books: `${formatPence(due)} owed to the requester`,
      stripe:
        pending > 0
          ? `${formatPence(stripe)} held, a refund of ${formatPence(pending)} is pending`
          : `${formatPence(stripe)} held`,
      remedy:
        pending >= due
          ? `The refund is pending. If it fails, make another: npm run admin -- refund ${settlement.id}`
          : `Refund the payment: npm run admin -- refund ${settlement.id} --pence ${due - pending}`,
    });
  return found;
}
