import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { Payment, Settlement, TransferIntent } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { whileStatusLocked } from "#lib/identity/status-lock.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { moneyEvent } from "#lib/settlements/events.ts";
import { loadHoldFacts } from "#lib/settlements/hold-facts.ts";
import { BALANCE_INSUFFICIENT, holdsOf } from "#lib/settlements/holds.ts";
import { IS_OPEN, isOpen } from "#lib/settlements/transfers.ts";
import { lockTask } from "#lib/tasks/row.ts";
import { refreshAccount } from "../accounts/account.ts";
import { readPayment } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import { type LiveGateway, ProcessorError, type TransferOrder } from "../gateway/port.ts";
import { lockWithDebts, netDebts } from "./debts.ts";
import { recordTransfer } from "./record.ts";

/** Stripe may forget a key after a day. An older attempt is looked up and, if Stripe does not have it, gets a new key. */
export const KEY_LIFE_SECONDS = 23 * 3600;
/** An attempt that is looked up this long after it was made, and not found, has had no effect. */
export const OUTCOME_SECONDS = 300;
/** An account is read before every transfer; one that was not ready, at most this often. */
const UNREADY_SECONDS = 300;

type Subject = { settlement: Settlement; intent: TransferIntent };

/**
 * Sends the transfer of a settlement. If something holds it, it stays queued and is tried again when the hold is lifted. The
 * outcome of an earlier attempt is looked up first.
 * @throws ProcessorError if it should be tried again
 */
export async function sendTransfer(ctx: Context, settlementId: string): Promise<"sent" | "held" | "done"> {
  const settlement = await prisma().settlement.findUnique({
    where: { id: settlementId },
    include: { transferIntents: { where: IS_OPEN } },
  });
  const intent = settlement?.transferIntents[0];
  if (!settlement || !intent) return "done";
  const gateway = await liveGateway();
  if (intent.askedAt !== null && (await recordEarlierAttempt(ctx, gateway, { settlement, intent }))) return "sent";
  await readCurrentFacts(ctx, settlement);
  if (await exceedsBalance(gateway, intent)) return hold(ctx, intent);
  const hosts = await hostsOf(settlement);
  const concerned = [settlement.providerId, settlement.requesterId, settlement.taskId];
  return whileStatusLocked([...concerned, ...[...hosts].map((host) => `host:${host}`)], async () => {
    const order = await decide(ctx, settlement, intent.id, hosts);
    if (order === "held" || order === "done") return order;
    try {
      const transfer = await gateway.sendTransfer(order);
      await transaction((tx) => recordTransfer(tx, ctx, settlement.id, transfer));
      return "sent";
    } catch (error) {
      if (error instanceof ProcessorError) await noteFailure(ctx, order, error);
      throw error;
    }
  });
}

/** Looks up an attempt with an unknown outcome. @returns whether Stripe has the transfer, which is then recorded */
async function recordEarlierAttempt(
  ctx: Context,
  gateway: LiveGateway,
  { settlement, intent }: Subject,
): Promise<boolean> {
  const known = await gateway.listTransfers(settlement.id);
  const found = known.find(({ transferId }) => transferId === intent.id);
  if (found) {
    await transaction(async (tx) => {
      await lockTask(tx, settlement.taskId);
      // An administrator has changed the amount meanwhile: what was sent counts.
      await tx.transferIntent.updateMany({
        where: { id: intent.id, stripeTransferId: null },
        data: { amountPence: found.amountPence },
      });
      await recordTransfer(tx, ctx, settlement.id, found);
    });
    return true;
  }
  const pruned = intent.askedAt !== null && secondsAfter(intent.askedAt, KEY_LIFE_SECONDS) <= ctx.clock.now();
  if (pruned)
    await prisma().transferIntent.updateMany({
      where: { id: intent.id, attempt: intent.attempt, state: "sending" },
      data: { attempt: { increment: 1 }, askedAt: ctx.clock.now() },
    });
  return false;
}

/** If nothing of ours holds it, reads the payment and the account at Stripe: events about them may still be on their way. */
async function readCurrentFacts(ctx: Context, settlement: Settlement): Promise<void> {
  const facts = (await loadHoldFacts([settlement.id])).get(settlement.id);
  if (!facts || holdsOf({ ...facts, account: [] }).length > 0) return;
  const account = await prisma().paymentAccount.findUnique({ where: { identityId: settlement.providerId } });
  const ready = facts.account.every(({ done }) => done);
  const until = account?.refreshedAt && secondsAfter(account.refreshedAt, UNREADY_SECONDS);
  if (ready || !until || until <= ctx.clock.now()) await refreshAccount(ctx, settlement.providerId);
  const { contractId } = settlement;
  const payment = await prisma().payment.findFirst({
    where: { contractId, status: "succeeded" },
    select: { id: true },
  });
  if (payment) await readPayment(ctx, payment.id);
}

/**
 * Whether the platform's balance still does not cover a transfer for which Stripe has said so. Stripe would repeat that refusal to
 * the same key for a day, so nothing is sent before the balance suffices.
 */
async function exceedsBalance(gateway: LiveGateway, { state, problem, amountPence }: TransferIntent): Promise<boolean> {
  if (state !== "queued" || problem !== BALANCE_INSUFFICIENT) return false;
  return (await gateway.readBalance()).availablePence < amountPence;
}

/** Leaves a transfer in the queue, to be looked at again by the sweep. */
async function hold(ctx: Context, { id }: TransferIntent): Promise<"held"> {
  await prisma().transferIntent.updateMany({
    where: { id, state: "queued" },
    data: { checkedAt: ctx.clock.now() },
  });
  return "held";
}

/** The hosts of both parties, because a hold on a host holds the transfer too. */
async function hostsOf({ id }: Settlement): Promise<Set<string>> {
  return new Set(partyHosts((await loadHoldFacts([id])).get(id)));
}

function partyHosts(facts: { requesterHost: string | null; providerHost: string | null } | undefined): string[] {
  return [facts?.requesterHost, facts?.providerHost].filter((host) => typeof host === "string");
}

/** Decides under the task's lock, and records that the transfer will be sent before it is. */
function decide(
  ctx: Context,
  known: Settlement,
  intentId: string,
  hosts: ReadonlySet<string>,
): Promise<TransferOrder | "held" | "done"> {
  const { id, contractId, providerId } = known;
  return transaction(async (tx) => {
    const owing = await lockWithDebts(tx, known);
    const intent = await tx.transferIntent.findUniqueOrThrow({ where: { id: intentId } });
    if (!isOpen(intent)) return "done";
    const settlement = await tx.settlement.findUniqueOrThrow({ where: { id } });
    const facts = (await loadHoldFacts([id], tx)).get(id);
    const now = ctx.clock.now();
    // If a party has moved to another host meanwhile, the sweep tries again, with that host locked.
    const moved = partyHosts(facts).some((host) => !hosts.has(host));
    const ready = settlement.state === "approved" && settlement.funding === "confirmed" && facts && !moved;
    if (!ready || holdsOf(facts).length > 0) {
      const last = intent.checkedAt ?? intent.createdAt;
      if (intent.state === "queued" || secondsAfter(last, OUTCOME_SECONDS) <= now)
        await tx.transferIntent.update({ where: { id: intent.id }, data: { state: "queued", checkedAt: now } });
      const reasons = facts ? holdsOf(facts).map(({ reason }) => reason) : [];
      if (settlement.state === "approved") await noteHold(tx, ctx, settlement, intent.amountPence, reasons);
      return "held";
    }
    // Only before the first attempt: a repetition must ask for the same amount.
    const isFirst = intent.askedAt === null && intent.withheldPence === 0;
    if (isFirst && (await netDebts(tx, ctx, settlement, intent, owing)) === 0) return "done";
    const account = await tx.paymentAccount.findUniqueOrThrow({ where: { identityId: providerId } });
    const payment = await tx.payment.findFirstOrThrow({ where: { contractId, status: "succeeded" } });
    const sourceCharge = await sourceOf(tx, id, payment, now);
    // To another account, or from another charge, it is another request and needs another key.
    const differs =
      intent.askedAt !== null &&
      (intent.stripeAccountId !== account.stripeAccountId || intent.sourceCharge !== sourceCharge);
    const { attempt, amountPence } = await tx.transferIntent.update({
      where: { id: intent.id },
      data: {
        state: "sending",
        stripeAccountId: account.stripeAccountId,
        sourceCharge,
        problem: null,
        ...(differs ? { attempt: { increment: 1 } } : {}),
        ...(differs || intent.askedAt === null ? { askedAt: now } : {}),
        checkedAt: now,
      },
    });
    return {
      transferId: intent.id,
      attempt,
      settlementId: id,
      contractId,
      providerId,
      amountPence,
      accountId: account.stripeAccountId,
      chargeId: sourceCharge,
    };
  });
}

/**
 * Records what holds a queued transfer, once: the sweep looks at held transfers again and again, and says so only when the
 * reasons have changed.
 */
async function noteHold(tx: Tx, ctx: Context, settlement: Settlement, amountPence: number, reasons: string[]) {
  const last = await tx.auditEvent.findFirst({
    where: { subjectId: settlement.id, type: { startsWith: "transfer." } },
    orderBy: { seq: "desc" },
    select: { type: true, eventData: true },
  });
  const known = last?.type === "transfer.held" ? (last.eventData as { reasons?: string[] }).reasons : undefined;
  if (reasons.length === 0 || known?.join() === reasons.join()) return;
  await audit(tx, ctx, {
    action: "transfer_held",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { reasons },
    event: moneyEvent("transfer.held", settlement, { amount_pence: amountPence, reasons }),
  });
}

/**
 * The charge that a transfer names as its source, so that it needs no balance until the charge has settled. After a reversal the charge
 * is left out once it has settled: Stripe does not document whether what was reversed can be drawn on it again, and by then the
 * balance has to pay in either case.
 */
async function sourceOf(tx: Tx, settlementId: string, payment: Payment, now: Date): Promise<string | null> {
  const { stripeChargeId, stripeAvailableAt } = payment;
  if (!stripeAvailableAt || stripeAvailableAt > now) return stripeChargeId;
  const reversed = await tx.transferIntent.count({ where: { settlementId, reversedPence: { gt: 0 } } });
  return reversed > 0 ? null : stripeChargeId;
}

/**
 * After a refusal it is queued again under another key. After anything else its outcome stays open: a failure that Stripe reported may
 * still take effect, so the same key is sent again until `OUTCOME_SECONDS` have passed.
 */
async function noteFailure(ctx: Context, order: TransferOrder, error: ProcessorError): Promise<void> {
  const now = ctx.clock.now();
  const where = { id: order.transferId, state: "sending", attempt: order.attempt } as const;
  if (error.kind === "refused")
    await prisma().transferIntent.updateMany({
      where,
      data: { state: "queued", problem: error.code, attempt: { increment: 1 } },
    });
  else if (error.answered)
    await prisma().transferIntent.updateMany({
      where: { ...where, askedAt: { lte: secondsAfter(now, -OUTCOME_SECONDS) } },
      data: { attempt: { increment: 1 }, askedAt: now },
    });
}
