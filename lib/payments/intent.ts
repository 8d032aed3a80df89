import { lockContract } from "#lib/contracts/read.ts";
import { audit } from "#lib/db/audit.ts";
import { fingerprint, once } from "#lib/db/idempotency.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { ApiError, notFound, stateConflict } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { gateTask } from "#lib/tasks/actions.ts";
import { requireRole, requireVisible } from "#lib/tasks/admit.ts";
import { requireGates } from "#lib/tasks/gates.ts";
import type { TaskRow } from "#lib/tasks/row.ts";
import { liveUnavailable } from "./live.ts";
import { paymentView } from "./view.ts";

/**
 * Begins one attempt to fund an accepted agreement. The `Idempotency-Key` names the attempt: the same key gives the same
 * payment, for ever. In TEST nothing is charged; `confirmPayment` plays the outcome.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, live_unavailable, request_id_conflict
 */
export function createIntent(ctx: ServiceContext, input: { contract_id: string }) {
  const attempt = {
    actorId: ctx.actor.id,
    operation: "payments/intent",
    key: ctx.idempotencyKey as string,
    fingerprint: fingerprint(input),
    at: ctx.clock.now(),
  };
  return transaction((tx) => once(tx, attempt, 201, () => openPayment(tx, ctx, input.contract_id)));
}

async function openPayment(tx: Tx, ctx: ServiceContext, contractId: string): Promise<string> {
  const found = await lockContract(tx, contractId);
  if (!found) throw notFound();
  const task = requireVisible(ctx, found.task);
  requireRole(ctx, task, "requester");
  requireFundable(task, contractId);
  requireGates(ctx.actor, "fund", gateTask(task));
  if (task.paymentMode === "LIVE") throw liveUnavailable();
  const payment = await tx.payment.create({
    data: {
      id: newId("pay"),
      contractId,
      requesterId: ctx.actor.id,
      paymentMode: task.paymentMode,
      amountPence: found.contract.amountPence,
      createdAt: ctx.clock.now(),
    },
  });
  await tx.settlement.updateMany({ where: { contractId, funding: "required" }, data: { funding: "pending" } });
  await audit(tx, ctx, {
    action: "fund",
    subjectKind: "payment",
    subjectId: payment.id,
    data: { task_id: task.id, contract_id: contractId },
  });
  return JSON.stringify({ ok: true, payment: paymentView(payment) });
}

/** @throws ApiError state_conflict when the agreement is not accepted, free, or funded already */
export function requireFundable(task: TaskRow, contractId: string): void {
  if (task.contractId !== contractId || task.state !== "accepted") {
    throw stateConflict("Only an accepted agreement whose work has not begun can be funded.");
  }
  if (task.amountPence === 0) throw stateConflict("This agreement is free: it needs no funding.");
  if (task.funding === "confirmed") throw new ApiError("state_conflict", "This agreement is funded already.");
}
