import { lockContract } from "#lib/contracts/read.ts";
import { prisma } from "#lib/db/client.ts";
import type { Payment } from "#lib/db/generated/client.ts";
import { type Attempt, inProgress, replay, requireSameRequest, type Stored } from "#lib/db/idempotency.ts";
import { transaction } from "#lib/db/tx.ts";
import { accountReadiness, isReady } from "#lib/identity/payment-account.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, gateRefused, notFound } from "#lib/kernel/errors.ts";
import { findTask } from "#lib/tasks/row.ts";
import { refreshAccount } from "../accounts/account.ts";
import { toCallerError } from "../gateway/failures.ts";
import { liveGateway } from "../gateway/live.ts";
import { ProcessorError } from "../gateway/port.ts";
import { paymentView } from "../view.ts";
import { openCheckout } from "./checkout.ts";
import { admitFunding } from "./fundable.ts";
import { recordStart } from "./record-payment.ts";

/** How long a checkout can be paid; Stripe allows half an hour to a day. */
const CHECKOUT_TTL_SECONDS = 12 * 3600;

/** Keys whose payment was started, but whose checkout has no known outcome yet. */
const UNANSWERED = { status: null };

/**
 * Starts a payment for a LIVE agreement, or continues one. The payment is recorded first, then Stripe is called with its ID, then
 * the answer is stored: these are three transactions, with no call inside any of them. Repeating the request with the same key
 * always returns the same payment. While a checkout of the agreement is open, every other key gets that checkout too, so an
 * agreement is never paid twice.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, live_unavailable, request_id_conflict, temporarily_unavailable
 */
export async function createLiveIntent(
  ctx: ServiceContext,
  contractId: string,
  attempt: Attempt,
): Promise<Reply<JsonText>> {
  const known = await findAttempt(attempt);
  if (known && known.status !== null) return replay(known, attempt);
  const paymentId = known ? paymentOf(known, attempt) : await begin(ctx, contractId, attempt);
  try {
    const payment = await openCheckout(ctx, paymentId);
    return await storeAnswer(attempt, payment);
  } catch (thrown) {
    if (thrown instanceof ProcessorError && thrown.kind === "refused") await freeKey(attempt);
    throw toCallerError(thrown);
  }
}

/** A request that had no effect leaves its key unused. */
async function freeKey(attempt: Attempt): Promise<void> {
  await prisma().idempotencyKey.deleteMany({ where: { ...keyOf(attempt), ...UNANSWERED } });
}

/** @throws ApiError request_id_conflict */
function paymentOf(known: Stored & { paymentId: string | null }, attempt: Attempt): string {
  requireSameRequest(known, attempt);
  if (known.paymentId === null) throw inProgress();
  return known.paymentId;
}

function keyOf({ actorId, operation, key }: Attempt) {
  return { actorId, operation, key };
}

function findAttempt(attempt: Attempt) {
  return prisma().idempotencyKey.findUnique({ where: { actorId_operation_key: keyOf(attempt) } });
}

async function begin(ctx: ServiceContext, contractId: string, attempt: Attempt): Promise<string> {
  const contract = await prisma().contract.findUnique({ where: { id: contractId } });
  const task = contract && (await findTask(contract.taskId, ctx.clock.now()));
  if (!contract || !task) throw notFound();
  admitFunding(ctx, task, contractId);
  await liveGateway();
  await refreshAccount(ctx, contract.providerId).catch((thrown) => {
    throw toCallerError(thrown);
  });
  return transaction(async (tx) => {
    const found = await lockContract(tx, contractId);
    if (!found) throw notFound();
    const account = await tx.paymentAccount.findUnique({ where: { identityId: contract.providerId } });
    admitFunding(ctx, found.task, contractId);
    const steps = accountReadiness(contract.providerId, account);
    if (!isReady(steps))
      throw gateRefused(
        steps.map(({ step, done, detail, remedy }) => ({
          gate: `provider_${step}`,
          passed: done,
          reason: done ? null : detail,
          remedy: remedy && `The provider must do this: ${remedy}`,
        })),
      );
    // Read again: requests for this agreement wait for each other from here on.
    const where = { actorId_operation_key: keyOf(attempt) };
    const first = await tx.idempotencyKey.findUnique({ where });
    if (first) return paymentOf(first, attempt);
    const now = ctx.clock.now();
    const pending = { contractId, status: "pending", paymentMode: "LIVE" } as const;
    const expiresAt = new Date(Math.floor(secondsAfter(now, CHECKOUT_TTL_SECONDS).getTime() / 1000) * 1000);
    const { id: paymentId } =
      (await tx.payment.findFirst({ where: pending, select: { id: true } })) ??
      (await recordStart(tx, ctx, found.contract, { paymentMode: "LIVE", expiresAt }));
    const { actorId, operation, key, fingerprint, at } = attempt;
    const mine = await tx.$executeRaw`
      INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, payment_id, created_at)
      VALUES (${actorId}, ${operation}, ${key}, ${fingerprint}, ${paymentId}, ${at}) ON CONFLICT DO NOTHING`;
    // Only a request for another agreement can have used the key meanwhile.
    if (mine === 0) requireSameRequest(await tx.idempotencyKey.findUniqueOrThrow({ where }), attempt);
    return paymentId;
  });
}

/** Stores the answer under its key. Of two requests with the same key, the second gets the answer of the first. */
async function storeAnswer(attempt: Attempt, payment: Payment): Promise<Reply<JsonText>> {
  if (payment.status !== "pending" && !payment.stripeSessionId) {
    await freeKey(attempt);
    throw new ApiError("state_conflict", `This payment is ${payment.status}. Start another with a new key.`);
  }
  const view = paymentView(payment);
  const body = JSON.stringify({ ok: true, payment: view, checkout_url: view.checkout_url });
  const { count } = await prisma().idempotencyKey.updateMany({
    where: { ...keyOf(attempt), ...UNANSWERED },
    data: { status: 201, body },
  });
  if (count > 0) return new Reply(201, new JsonText(body));
  const kept = await findAttempt(attempt);
  if (!kept) throw inProgress();
  return replay(kept, attempt);
}
