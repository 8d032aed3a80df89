import { audit, type WireEvent } from "#lib/db/audit.ts";
import type { MoneyAct, MoneyActKind, Settlement } from "#lib/db/generated/client.ts";
import type { Tx } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";
import type { Context } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { paymentEvent, transferEvent } from "../events.ts";
import { book } from "../ledger.ts";
import { TRANSFER_PRIORITY } from "../schedule.ts";

/** What an administrator asks for; `pence` is undefined for all that is left. */
type Asked = { actId: string; kind: MoneyActKind; settlementId: string; pence?: number | undefined };

/** One call of Stripe that an act needs. */
type Part = { pence: number; transferId?: string };

/**
 * The rows of an act that was ordered before under the same ID.
 * @throws ApiError state_conflict if the ID was used for another act
 */
export async function findActs(tx: Tx, { actId, kind, settlementId, pence }: Asked): Promise<MoneyAct[]> {
  const found = await tx.moneyAct.findMany({ where: { actId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  const differs = found.some(
    (act) => act.kind !== kind || act.settlementId !== settlementId || act.askedPence !== (pence ?? null),
  );
  if (differs) throw stateConflict("This act ID belongs to a different act. Use a new one.");
  return found;
}

/**
 * Records an act, with the job that carries it out, in the transaction that decides on it. In TEST it is booked at once, and no
 * money moves. The caller holds the task's lock, and has found that the ID is new.
 */
export async function orderAct(
  tx: Tx,
  ctx: Context,
  settlement: Settlement,
  { actId, kind, pence }: Omit<Asked, "settlementId">,
  parts: Part[],
): Promise<MoneyAct[]> {
  const now = ctx.clock.now();
  const isTest = settlement.paymentMode === "TEST";
  const acts: MoneyAct[] = [];
  for (const [at, part] of parts.entries()) {
    // Sending is a job of its own; the transfer's row says what becomes of it.
    const isDone = isTest || kind === "send_transfer";
    const act = await tx.moneyAct.create({
      data: {
        id: at === 0 ? actId : newId("act"),
        actId,
        kind,
        settlementId: settlement.id,
        createdAt: now,
        amountPence: part.pence,
        askedPence: pence ?? null,
        transferId: part.transferId ?? null,
        ...(isDone ? { state: "done", endedAt: now } : {}),
      },
    });
    acts.push(act);
    if (isTest) await simulate(tx, ctx, settlement, act);
    else if (!isDone) await enqueueAct(tx, act.id);
  }
  return acts;
}

const enqueueAct = (tx: Tx, id: string) =>
  enqueue(tx, { name: "perform-act", payload: { id }, key: `act:${id}`, priority: TRANSFER_PRIORITY });

/** What the parties learn about a simulated act: the same as about a real one. */
async function eventOf(tx: Tx, settlement: Settlement, kind: MoneyActKind, pence: number): Promise<WireEvent> {
  if (kind !== "refund")
    return transferEvent(kind === "send_transfer" ? "transfer.sent" : "transfer.reversed", settlement, pence);
  const paid = { contractId: settlement.contractId, status: "succeeded" as const };
  return paymentEvent("payment.refunded", await tx.payment.findFirstOrThrow({ where: paid }), settlement, {
    refund_status: "succeeded",
    amount_pence: pence,
  });
}

const BOOKED_AS = { refund: "refund", reverse_transfer: "reversal", send_transfer: "transfer" } as const;

async function simulate(tx: Tx, ctx: Context, settlement: Settlement, { id, kind, amountPence }: MoneyAct) {
  const where = { id: settlement.id };
  if (kind === "refund") {
    const refundedPence = { increment: amountPence };
    await tx.settlement.update({ where, data: { refundedPence } });
    const { contractId } = settlement;
    await tx.payment.updateMany({ where: { contractId, status: "succeeded" }, data: { refundedPence } });
  }
  const current = await tx.settlement.findUniqueOrThrow({ where });
  await audit(tx, ctx, {
    action: `${kind}_done`,
    subjectKind: "settlement",
    subjectId: settlement.id,
    data: { act_id: id, amount_pence: amountPence, simulated: true },
    event: await eventOf(tx, current, kind, amountPence),
  });
  const moved = await book(tx, ctx, current, BOOKED_AS[kind], { reference: id, pence: amountPence });
  if (kind === "reverse_transfer" && moved?.sent === 0)
    await tx.settlement.update({ where, data: { transfer: "reversed" } });
  if (kind === "send_transfer")
    await tx.settlement.update({ where, data: { transfer: "simulated", transferredAt: ctx.clock.now() } });
}
