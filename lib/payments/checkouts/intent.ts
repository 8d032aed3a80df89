import { lockContract } from "#lib/contracts/read.ts";
import { prisma } from "#lib/db/client.ts";
import { type Attempt, fingerprint, once } from "#lib/db/idempotency.ts";
import { type Tx, transaction } from "#lib/db/tx.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { askingOwner } from "#lib/owners/limits/approval.ts";
import { paymentView } from "../view.ts";
import { admitFunding } from "./fundable.ts";
import { createLiveIntent } from "./live-intent.ts";
import { recordStart } from "./record-payment.ts";

/**
 * Starts one payment for an accepted agreement, in the agreement's mode. The same `Idempotency-Key` always returns the same
 * payment. In TEST nothing is charged, and `confirmPayment` sets the outcome.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, live_unavailable, request_id_conflict
 */
export function createIntent(ctx: ServiceContext, input: { contract_id: string }) {
  return askingOwner(ctx, { subject: input.contract_id }, () => create(ctx, input));
}

async function create(ctx: ServiceContext, input: { contract_id: string }) {
  const attempt: Attempt = {
    actorId: ctx.actor.id,
    operation: "payments/intent",
    key: ctx.idempotencyKey as string,
    fingerprint: fingerprint(input),
    at: ctx.clock.now(),
  };
  const contract = await prisma().contract.findUnique({
    where: { id: input.contract_id },
    select: { paymentMode: true },
  });
  if (contract?.paymentMode === "LIVE") return createLiveIntent(ctx, input.contract_id, attempt);
  return transaction((tx) => once(tx, attempt, 201, () => openPayment(tx, ctx, input.contract_id)));
}

async function openPayment(tx: Tx, ctx: ServiceContext, contractId: string): Promise<string> {
  const found = await lockContract(tx, contractId);
  if (!found) throw notFound();
  admitFunding(ctx, found.task, contractId);
  const payment = await recordStart(tx, ctx, found.contract, { paymentMode: "TEST" });
  return JSON.stringify({ ok: true, payment: paymentView(payment) });
}
