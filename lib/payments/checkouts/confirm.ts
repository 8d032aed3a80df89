import { lockContract } from "#lib/contracts/read.ts";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { Contract, Payment } from "#lib/db/generated/client.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { askingOwner } from "#lib/owners/limits/approval.ts";
import { paymentEvent } from "#lib/settlements/events.ts";
import { book } from "#lib/settlements/ledger.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import { effectiveState } from "#lib/tasks/machine.ts";
import { outOfTurn } from "#lib/tasks/out-of-turn.ts";
import { paymentView } from "../view.ts";
import { requireFundable } from "./fundable.ts";

type Input = { payment_id: string; outcome: "succeed" | "decline" };

/**
 * Sets the outcome of a simulated payment. No money moves, and the ledger shows the mode. Repeating the same outcome returns the
 * same answer.
 * @throws ApiError not_found, forbidden (for the provider; and only the card processor confirms a LIVE payment), state_conflict,
 *   gate_refused
 */
export async function confirmPayment(ctx: ServiceContext, input: Input) {
  const known = await prisma().payment.findUnique({
    where: { id: input.payment_id },
    select: { contractId: true, requesterId: true, contract: { select: { providerId: true } } },
  });
  const isParty = known?.requesterId === ctx.actor.id || known?.contract.providerId === ctx.actor.id;
  if (!known || !isParty) throw notFound();
  if (known.requesterId !== ctx.actor.id)
    throw new ApiError("forbidden", "Only the requester of the task can set the outcome of its payment.");
  return askingOwner(ctx, { subject: known.contractId }, () => confirm(ctx, input, known.contractId));
}

function confirm(ctx: ServiceContext, input: Input, contractId: string) {
  return transaction(async (tx) => {
    const found = await lockContract(tx, contractId);
    if (!found) throw notFound();
    const payment = await tx.payment.findUniqueOrThrow({ where: { id: input.payment_id } });
    if (payment.paymentMode !== "TEST")
      throw new ApiError(
        "forbidden",
        "Only TEST payments can be confirmed here. The card processor confirms LIVE payments.",
      );
    const status = input.outcome === "succeed" ? "succeeded" : "declined";
    if (payment.status === status) return { payment: paymentView(payment) };
    const now = ctx.clock.now();
    if (payment.status !== "pending") {
      const problem = `This payment is ${payment.status}, and its task is ${effectiveState(found.task, now)}.`;
      throw outOfTurn(found.task, ctx.actor.id, now, problem);
    }
    requireFundable(ctx, found.task, payment.contractId);
    // Owner limits are about paying.
    const actor = input.outcome === "decline" ? { ...ctx.actor, ownerLimits: null } : ctx.actor;
    requireGates(actor, "confirm", gateTask(found.task));
    return { payment: paymentView(await settle(tx, ctx, payment, status, found.contract)) };
  });
}

async function settle(
  tx: Tx,
  ctx: ServiceContext,
  payment: Payment,
  status: "succeeded" | "declined",
  contract: Contract,
): Promise<Payment> {
  const now = ctx.clock.now();
  const settled = await tx.payment.update({
    where: { id: payment.id, status: "pending" },
    data: { status, settledAt: now },
  });
  const others = { contractId: payment.contractId, status: "pending" as const };
  if (status === "succeeded") {
    // An agreement is paid once: its other payments can no longer succeed.
    await tx.payment.updateMany({ where: others, data: { status: "canceled", settledAt: now } });
    const settlement = await tx.settlement.update({
      where: { contractId: payment.contractId, state: "recorded", funding: { not: "confirmed" } },
      data: { funding: "confirmed", fundedAt: now },
    });
    await book(tx, ctx, settlement, "funding");
  } else if ((await tx.payment.count({ where: others })) === 0) {
    await tx.settlement.updateMany({
      where: { contractId: payment.contractId, funding: "pending" },
      data: { funding: "required" },
    });
  }
  await audit(tx, ctx, {
    action: `payment_${status}`,
    subjectKind: "payment",
    subjectId: payment.id,
    data: { simulated: true },
    event: paymentEvent(status === "succeeded" ? "payment.confirmed" : "payment.declined", settled, contract),
  });
  return settled;
}
