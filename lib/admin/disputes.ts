import { audit } from "#lib/db/audit.ts";
import type { MoneyAct, Settlement } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import { lockStatus } from "#lib/identity/status-lock.ts";
import { notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { loadMoneyFacts } from "#lib/settlements/acts/facts.ts";
import { findActs, orderAct } from "#lib/settlements/acts/order.ts";
import { approveSettlement } from "#lib/settlements/approve.ts";
import { settlementEvent } from "#lib/settlements/events.ts";
import { balancesOf, book, dealOf, readLedger } from "#lib/settlements/ledger.ts";
import { wakeTransfers } from "#lib/settlements/schedule.ts";
import type { SettlementWire } from "#lib/settlements/schema.ts";
import { endTransfer } from "#lib/settlements/transfers.ts";
import { voidQueued, voidSettlement } from "#lib/settlements/void.ts";
import { advance } from "#lib/tasks/advance.ts";
import type { DisputeWire } from "#lib/tasks/disputes/schema.ts";
import { sharedReason, taskEvent } from "#lib/tasks/events.ts";
import { effectiveState } from "#lib/tasks/machine.ts";
import { lockTask, type TaskRow } from "#lib/tasks/row.ts";
import { disputeView } from "#lib/tasks/view.ts";
import { DONE_BEFORE, type IdentifiedAct, isRepeated, takeActId } from "./act-ids.ts";
import type { AdminContext } from "./context.ts";
import { readAct } from "./money/read.ts";
import { type Choice, type Effect, effectOf, resolutionInWords } from "./money/resolution.ts";
import { namesOf, performNow } from "./money/subject.ts";
import { requireOthers } from "./own-subject.ts";
import type { MoneyActWire } from "./schema.ts";

type Input = Choice & {
  disputeId: string;
  reason: string;
  /** The act's own ID, also of the refund that this orders: sending the same act again changes nothing. */
  actId?: string | undefined;
  /** Only says what would happen. */
  preview?: boolean | undefined;
};

type Answer = {
  preview?: string[];
  dispute?: DisputeWire;
  /** The refund that was ordered, and the settlement after it. */
  act?: MoneyActWire;
  settlement?: SettlementWire;
};

const STATEMENTS = { statements: { orderBy: { number: "asc" } } } as const;

/**
 * Resolves a dispute, with a reason that both parties read.
 * For the provider: the task can be completed again. With `complete` it is completed at once, if its result is submitted.
 * For the requester: the settlement becomes void, and the task is cancelled unless it has already ended. If it is a completed LIVE
 * task whose transfer has not been sent, only the settlement becomes void. With `refund` the requester is also refunded.
 * By a split: the provider is awarded part of the gross, the rest is refunded, and the task is completed.
 * Otherwise no money is refunded.
 * @throws ApiError not_found, forbidden (own_subject), invalid_input, state_conflict (already resolved, not possible in this state,
 *   its transfer is being sent, or the ID of another act)
 */
export async function resolveDispute(ctx: AdminContext, input: Input): Promise<Answer> {
  const { disputeId, resolution, complete = false, reason, preview = false, actId = newId("act") } = input;
  const act = identify(input, actId);
  const outcome = await transaction(async (tx) => {
    await requireOthers(tx, ctx, disputeId);
    const known = await tx.dispute.findUnique({ where: { id: disputeId }, select: { taskId: true } });
    if (!known) throw notFound();
    // No transfer is sent between this decision and its commit.
    await lockStatus(tx, known.taskId);
    const task = await lockTask(tx, known.taskId);
    if (!task) throw notFound();
    if (await isRepeated(tx, act)) return preview ? { preview: DONE_BEFORE } : readResolved(tx, disputeId, actId);
    if (task.disputeId !== disputeId) throw stateConflict("This dispute has already been resolved.");
    const settlement = await tx.settlement.findFirst({ where: { taskId: task.id }, orderBy: { seq: "desc" } });
    const facts = {
      // A task past its expiry time is expired for every reader, even if the sweep has not recorded it yet.
      taskState: effectiveState(task, ctx.clock.now()),
      money: settlement && (await loadMoneyFacts(tx, settlement)),
    };
    const effect = effectOf(input, facts);
    if (preview) {
      const names = settlement ? await namesOf(tx, settlement) : { requester: "", provider: "" };
      return { preview: resolutionInWords(input, facts, names) };
    }
    await takeActId(tx, ctx, act);
    const dispute = await tx.dispute.update({
      where: { id: disputeId, state: "open" },
      data: { state: "resolved", resolution, resolutionReason: reason, resolvedAt: ctx.clock.now() },
      include: STATEMENTS,
    });
    const refunds = settlement !== null && effect.refundPence > 0;
    const awarded = effect.awardedPence === null ? {} : { awarded_pence: effect.awardedPence };
    // The decision is recorded before what follows from it.
    await audit(tx, ctx, {
      action: "resolve",
      subjectKind: "dispute",
      subjectId: disputeId,
      reason,
      data: {
        resolution,
        ...(complete ? { complete } : {}),
        ...awarded,
        ...(refunds ? { act_id: actId, refund_pence: effect.refundPence } : {}),
      },
      event: taskEvent(
        "dispute.resolved",
        task,
        { dispute_id: disputeId, resolution, ...awarded, ...sharedReason(task, reason) },
        { facts: { dispute_id: disputeId, resolution } },
        dispute.providerId,
      ),
    });
    await carryOut(tx, ctx, task, settlement, effect, { reason, data: { dispute_id: disputeId } });
    const acts = refunds ? await refundRest(tx, ctx, settlement.id, effect.refundPence, actId) : [];
    return { dispute: disputeView(dispute), acts };
  });
  if (outcome.preview) return { preview: outcome.preview };
  const { dispute, acts } = outcome;
  if (acts.length === 0) return { dispute };
  await performNow(ctx, acts);
  return { dispute, ...(await readAct(actId)) };
}

/** Everything that makes another resolution of the dispute, apart from the reason. */
function identify({ disputeId, resolution, complete, refund, providerPence }: Input, actId: string): IdentifiedAct {
  const asked = {
    resolution,
    complete: complete ?? false,
    refund: refund ?? false,
    provider_pence: providerPence ?? null,
  };
  return { actId, kind: "resolve", subjectId: disputeId, asked };
}

/** The answer to a resolution that is sent again: as it was carried out, and the refund that it ordered as that is now. */
async function readResolved(tx: Tx, disputeId: string, actId: string) {
  const dispute = await tx.dispute.findUniqueOrThrow({ where: { id: disputeId }, include: STATEMENTS });
  return { dispute: disputeView(dispute), acts: await tx.moneyAct.findMany({ where: { actId } }) };
}

type Record = { reason: string; data: { dispute_id: string } };

async function carryOut(
  tx: Tx,
  ctx: AdminContext,
  task: TaskRow,
  settlement: Settlement | null,
  effect: Effect,
  record: Record,
): Promise<void> {
  if (effect.awardedPence !== null && settlement) await award(tx, ctx, task, settlement, effect.awardedPence, record);
  else if (effect.task === "cancelled") {
    await advance(tx, ctx, task, "annul", record);
    await voidSettlement(tx, ctx, task.id);
  } else if (effect.task === "completed") {
    await advance(tx, ctx, task, "complete", record);
    await approveSettlement(tx, ctx, task.id);
  } else if (effect.settlement === "void") await voidQueued(tx, ctx, task.id);
  else if (effect.endsTransfer && settlement) {
    await endTransfer(tx, ctx, settlement, { problem: "cancelled", action: "end_transfer", reason: record.reason });
  } else await wakeTransfers(tx, task.id);
}

/** Awards the provider a part of the gross: of a task under way, which is completed, or of a completed one whose transfer is queued. */
async function award(
  tx: Tx,
  ctx: AdminContext,
  task: TaskRow,
  settlement: Settlement,
  awardedPence: number,
  record: Record,
): Promise<void> {
  if (settlement.state === "recorded") {
    await advance(tx, ctx, task, "split", record);
    await approveSettlement(tx, ctx, task.id, awardedPence);
    return;
  }
  const where = { id: settlement.id };
  const awarded = await tx.settlement.update({ where, data: { awardedPence } });
  await book(tx, ctx, awarded, "approval", { reference: record.data.dispute_id });
  await audit(tx, ctx, {
    action: "award",
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { ...record.data, awarded_pence: awardedPence },
    event: settlementEvent("settlement.approved", awarded),
  });
  const { moved } = await readLedger(tx, settlement.id);
  const pence = 0 - balancesOf(dealOf(awarded), moved).provider_payable;
  if (pence === 0) {
    await endTransfer(tx, ctx, settlement, { problem: "void", action: "end_transfer", reason: record.reason });
    await tx.settlement.update({ where, data: { transfer: "none" } });
    return;
  }
  await tx.transferIntent.updateMany({
    where: { settlementId: settlement.id, state: "queued" },
    data: {
      amountPence: pence,
      allowedRefundPence: settlement.grossPence - awardedPence,
      attempt: { increment: 1 },
    },
  });
  await wakeTransfers(tx, task.id);
}

/** Orders the refund that a resolution includes, in the same transaction. */
async function refundRest(
  tx: Tx,
  ctx: AdminContext,
  settlementId: string,
  pence: number,
  actId: string,
): Promise<MoneyAct[]> {
  const known = await findActs(tx, { actId, kind: "refund", settlementId, pence });
  if (known.length > 0) throw stateConflict("This act ID belongs to a different act. Use a new one.");
  const settlement = await tx.settlement.findUniqueOrThrow({ where: { id: settlementId } });
  return orderAct(tx, ctx, settlement, { actId, kind: "refund", pence }, [{ pence }]);
}
