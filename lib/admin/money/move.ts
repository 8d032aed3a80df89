import { audit } from "#lib/db/audit.ts";
import type { MoneyAct, MoneyActKind } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import { newId } from "#lib/kernel/ids.ts";
import { findActs, orderAct } from "#lib/settlements/acts/order.ts";
import { queueTransfer } from "#lib/settlements/approve.ts";
import { loadHoldFacts } from "#lib/settlements/hold-facts.ts";
import { type Hold, holdsOf } from "#lib/settlements/holds.ts";
import { enqueueTransfer } from "#lib/settlements/schedule.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { DONE_BEFORE, isRepeated, takeActId } from "../act-ids.ts";
import type { AdminContext } from "../context.ts";
import type { MoneyActWire } from "../schema.ts";
import { type Decision, decideRefund, decideReversal, decideSending } from "./decide.ts";
import { readAct } from "./read.ts";
import { onSettlement, performNow, type Subject } from "./subject.ts";

type Input = {
  settlementId: string;
  /** Undefined for all that is left. */
  pence?: number | undefined;
  /** The act's own ID: sending the same act again changes nothing. */
  actId?: string | undefined;
  reason: string;
  /** Only says what would happen. */
  preview?: boolean | undefined;
};

/** An act that moves money: how it is decided, and what it records. */
type Move<D extends Decision> = {
  kind: MoneyActKind;
  decide(tx: Tx, subject: Subject, pence: number | undefined): Promise<D> | D;
  order(
    tx: Tx,
    ctx: AdminContext,
    subject: Subject,
    decision: D,
    asked: { actId: string; pence?: number | undefined },
  ): Promise<MoneyAct[]>;
};

type Answer = { preview?: string[]; act?: MoneyActWire; settlement?: SettlementWire };

async function move<D extends Decision>(
  ctx: AdminContext,
  { settlementId, pence, actId = newId("act"), reason, preview = false }: Input,
  { kind, decide, order }: Move<D>,
): Promise<Answer> {
  const act = { actId, kind, subjectId: settlementId, asked: { pence: pence ?? null } };
  const outcome = await onSettlement(ctx, settlementId, async (tx, subject) => {
    await isRepeated(tx, act);
    const known = await findActs(tx, { actId, kind, settlementId, pence });
    if (known.length > 0) return preview ? DONE_BEFORE : known;
    const decision = await decide(tx, subject, pence);
    if (preview) return decision.lines;
    await takeActId(tx, ctx, act);
    const acts = await order(tx, ctx, subject, decision, { actId, pence });
    await audit(tx, ctx, {
      action: kind,
      subjectKind: "settlement",
      subjectId: settlementId,
      reason,
      data: { act_id: actId, amount_pence: decision.pence },
    });
    return acts;
  });
  if (isPreview(outcome)) return { preview: outcome };
  await performNow(ctx, outcome);
  return readAct(actId);
}

const isPreview = (outcome: string[] | MoneyAct[]): outcome is string[] => typeof outcome[0] === "string";

/**
 * Refunds the charge of a settlement, in part or whole: in LIVE through Stripe, in TEST only in the books. What is due to the requester
 * is settled first; beyond that the fee and what is payable to the provider shrink.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (nothing left), invalid_input (more than is left)
 */
export function refund(ctx: AdminContext, input: Input) {
  return move(ctx, input, {
    kind: "refund",
    decide: (_tx, { facts, names }, pence) => decideRefund(facts, names, pence),
    order: (tx, ctx, { settlement }, { pence }, asked) =>
      orderAct(tx, ctx, settlement, { ...asked, kind: "refund" }, [{ pence }]),
  });
}

/**
 * Takes a sent transfer back from the provider's account, in part or whole.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (nothing left), invalid_input (more than is left)
 */
export function reverseTransfer(ctx: AdminContext, input: Input) {
  return move(ctx, input, {
    kind: "reverse_transfer",
    decide: (_tx, { facts, names }, pence) => decideReversal(facts, names, pence),
    order: (tx, ctx, { settlement }, { parts }, asked) =>
      orderAct(tx, ctx, settlement, { ...asked, kind: "reverse_transfer" }, parts),
  });
}

/**
 * Sends the provider what is left, or part of it, after a refund, a chargeback or a reversal. The transfer still waits for
 * everything else that holds it.
 * @throws ApiError not_found, forbidden (own_subject), state_conflict (not approved, nothing left), invalid_input (more than is left)
 */
export function sendTransfer(ctx: AdminContext, input: Input) {
  return move(ctx, input, {
    kind: "send_transfer",
    decide: async (tx, { settlement, facts, names }, pence) =>
      decideSending(facts, names, await otherHolds(tx, settlement.id), pence),
    order: async (tx, ctx, subject, { pence }, asked) => {
      const transferId = await queueSending(tx, ctx, subject, pence);
      const part = transferId ? { pence, transferId } : { pence };
      return orderAct(tx, ctx, subject.settlement, { ...asked, kind: "send_transfer" }, [part]);
    },
  });
}

/** What holds a transfer apart from refunds, chargebacks and its delay. */
async function otherHolds(tx: Tx, settlementId: string): Promise<Hold[]> {
  const facts = (await loadHoldFacts([settlementId], tx)).get(settlementId);
  return facts ? holdsOf({ ...facts, waitsUntil: null, refundedPence: 0, disputedPence: 0 }) : [];
}

/** Puts the amount into the queued transfer, or queues another one. @returns its ID; undefined in TEST */
async function queueSending(
  tx: Tx,
  ctx: AdminContext,
  { settlement, facts: { open, openRefundPence } }: Subject,
  pence: number,
): Promise<string | undefined> {
  if (settlement.paymentMode === "TEST") return undefined;
  await tx.paymentWarning.updateMany({
    where: { payment: { contractId: settlement.contractId }, open: true, releasedAt: null },
    data: { releasedAt: ctx.clock.now() },
  });
  const allowed = {
    allowedRefundPence: settlement.refundedPence + openRefundPence,
    allowedDisputePence: settlement.disputedPence,
  };
  if (!open) {
    await queueTransfer(tx, ctx, settlement, { pence, ...allowed });
    const queued = await tx.transferIntent.findFirstOrThrow({
      where: { settlementId: settlement.id, state: "queued" },
    });
    return queued.id;
  }
  // Another amount is another request at Stripe, and needs another key.
  await tx.transferIntent.update({
    where: { id: open.id },
    data: {
      amountPence: pence,
      ...allowed,
      problem: null,
      notBefore: null,
      ...(open.askedAt !== null ? { attempt: { increment: 1 }, askedAt: ctx.clock.now() } : {}),
    },
  });
  await enqueueTransfer(tx, settlement.id);
  return open.id;
}
