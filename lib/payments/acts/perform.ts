import { lockContract } from "#lib/contracts/read.ts";
import { prisma } from "#lib/db/client.ts";
import type { MoneyAct, Settlement } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { formatPence } from "#lib/kernel/money.ts";
import { loadMoneyFacts, refundableOf } from "#lib/settlements/acts/facts.ts";
import { BALANCE_INSUFFICIENT } from "#lib/settlements/holds.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import { isOpen } from "#lib/settlements/transfers.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { readPayment } from "../checkouts/checkout.ts";
import { recordLosses } from "../checkouts/record-losses.ts";
import { liveGateway } from "../gateway/live.ts";
import { type LiveGateway, ProcessorError } from "../gateway/port.ts";
import { recordDebt } from "../transfers/debts.ts";
import { recordTransfer } from "../transfers/record.ts";
import { KEY_LIFE_SECONDS, OUTCOME_SECONDS } from "../transfers/send.ts";
import { failAct } from "./record.ts";

type Subject = { act: MoneyAct; settlement: Settlement };

/**
 * Carries out a refund or a reversal at Stripe. Before every call Stripe is asked what has become of earlier ones. Repeating it
 * changes nothing more.
 * @throws ProcessorError if it should be tried again
 */
export async function performAct(ctx: Context, id: string): Promise<void> {
  const found = await prisma().moneyAct.findUnique({ where: { id }, include: { settlement: true } });
  if (!found) return;
  const { settlement, ...act } = found;
  if (!isOpen(act)) return;
  const gateway = await liveGateway();
  await (act.kind === "refund" ? refund : reverse)(ctx, gateway, { act, settlement });
}

async function refund(ctx: Context, gateway: LiveGateway, { act, settlement }: Subject): Promise<void> {
  const { contractId } = settlement;
  const payment = await prisma().payment.findFirst({ where: { contractId, status: "succeeded" } });
  const intentId = payment?.stripeIntentId;
  if (!payment || !intentId) return failOpenAct(ctx, settlement, act, "There is no charge to refund.");
  // Records a refund that an earlier attempt made, and every other one.
  await readPayment(ctx, payment.id);
  const since = ctx.clock.now();
  const attempt = await begin(ctx, { act, settlement }, async (tx) => {
    const current = await tx.settlement.findUniqueOrThrow({ where: { id: settlement.id } });
    const facts = await loadMoneyFacts(tx, current);
    const left = refundableOf({ ...facts, openRefundPence: 0 });
    return left < act.amountPence ? `Only ${formatPence(left)} was left to refund.` : undefined;
  });
  if (attempt === undefined) return;
  const { id: actId, amountPence } = act;
  await callStripe(ctx, { act, settlement }, attempt, async () => {
    const loss = await gateway.refund({ actId, attempt, settlementId: settlement.id, intentId, amountPence });
    await transaction(async (tx) => {
      await lockContract(tx, contractId);
      await recordLosses(tx, ctx, await tx.payment.findUniqueOrThrow({ where: { id: payment.id } }), [loss], since);
    });
  });
}

async function reverse(ctx: Context, gateway: LiveGateway, { act, settlement }: Subject): Promise<void> {
  const transfer = act.transferId && (await prisma().transferIntent.findUnique({ where: { id: act.transferId } }));
  const stripeTransferId = transfer ? transfer.stripeTransferId : null;
  if (!stripeTransferId) return failOpenAct(ctx, settlement, act, "There is no transfer to reverse.");
  const recordFromStripe = async () => {
    const sent = await gateway.readTransfer(stripeTransferId);
    if (sent) await transaction((tx) => recordTransfer(tx, ctx, settlement.id, sent));
  };
  await recordFromStripe();
  const attempt = await begin(ctx, { act, settlement }, async (tx) => {
    const where = { id: act.transferId ?? "" };
    const { amountPence, reversedPence } = await tx.transferIntent.findUniqueOrThrow({ where });
    const left = Math.max(0, amountPence - reversedPence);
    return left < act.amountPence ? `Only ${formatPence(left)} of the transfer was left.` : undefined;
  });
  if (attempt === undefined) return;
  const { id: actId, amountPence } = act;
  await callStripe(ctx, { act, settlement }, attempt, async () => {
    await gateway.reverseTransfer({ actId, attempt, settlementId: settlement.id, stripeTransferId, amountPence });
    await recordFromStripe();
  });
}

/**
 * Records, before the call, that it will be made.
 * @param obstacle why the act is no longer possible; undefined if it is
 * @returns the attempt to make; undefined if there is nothing to do, or not yet
 */
async function begin(
  ctx: Context,
  { act: { id }, settlement }: Subject,
  obstacle: (tx: Tx) => Promise<string | undefined>,
): Promise<number | undefined> {
  return transaction(async (tx) => {
    await lockTask(tx, settlement.taskId);
    const act = await tx.moneyAct.findUniqueOrThrow({ where: { id } });
    if (!isOpen(act)) return undefined;
    const now = ctx.clock.now();
    const why = await obstacle(tx);
    if (why) {
      // An attempt without a known outcome may still take effect.
      if (act.askedAt === null || secondsAfter(act.askedAt, OUTCOME_SECONDS) <= now) {
        await failAct(tx, ctx, id, why);
        await wakeTransfers(tx, settlement.taskId);
      }
      return undefined;
    }
    const isPruned = act.askedAt !== null && secondsAfter(act.askedAt, KEY_LIFE_SECONDS) <= now;
    const { attempt } = await tx.moneyAct.update({
      where: { id },
      data: {
        state: "sending",
        checkedAt: now,
        ...(isPruned ? { attempt: { increment: 1 } } : {}),
        ...(isPruned || act.askedAt === null ? { askedAt: now } : {}),
      },
    });
    return attempt;
  });
}

/** Makes a call, and records how it failed: the rules are those of transfers. */
async function callStripe(
  ctx: Context,
  { act, settlement }: Subject,
  attempt: number,
  call: () => Promise<void>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    if (error.kind === "refused") {
      const isUnpaid = act.kind === "reverse_transfer" && error.code === BALANCE_INSUFFICIENT;
      return failOpenAct(ctx, settlement, act, `Stripe refused it (${error.code}).`, isUnpaid);
    }
    const now = ctx.clock.now();
    if (error.kind === "unknown" && error.answered)
      await prisma().moneyAct.updateMany({
        where: { id: act.id, state: "sending", attempt, askedAt: { lte: secondsAfter(now, -OUTCOME_SECONDS) } },
        data: { attempt: { increment: 1 }, askedAt: now },
      });
    throw error;
  }
}

/**
 * Ends an act without effect; a refund no longer holds the transfer.
 * @param isUnpaid the provider's account did not have the money of a reversal: what it has too much is a debt
 */
function failOpenAct(
  ctx: Context,
  { taskId }: Settlement,
  { id, settlementId, amountPence }: MoneyAct,
  problem: string,
  isUnpaid = false,
): Promise<void> {
  return transaction(async (tx) => {
    await lockTask(tx, taskId);
    if (!(await failAct(tx, ctx, id, problem))) return;
    if (isUnpaid) await recordDebt(tx, ctx, settlementId, amountPence);
    await wakeTransfers(tx, taskId);
  });
}
