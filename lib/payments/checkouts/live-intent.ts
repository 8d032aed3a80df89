import { lockContract } from "#lib/contracts/read.ts";
import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import type { Payment } from "#lib/db/generated/client.ts";
import { type Attempt, replay } from "#lib/db/idempotency.ts";
import { transaction } from "#lib/db/tx.ts";
import { accountReadiness, isReady } from "#lib/identity/payment-account.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { JsonText, Reply } from "#lib/kernel/endpoint.ts";
import { ApiError, gateRefused, notFound } from "#lib/kernel/errors.ts";
import { newId } from "#lib/kernel/ids.ts";
import { findTask } from "#lib/tasks/row.ts";
import { refreshAccount } from "../accounts/account.ts";
import { toCallerError } from "../gateway/failures.ts";
import { liveGateway } from "../gateway/live.ts";
import { ProcessorError } from "../gateway/port.ts";
import { paymentView } from "../view.ts";
import { openCheckout } from "./checkout.ts";
import { admitFunding } from "./fundable.ts";

/** How long a checkout can be paid; Stripe allows half an hour to a day. */
const CHECKOUT_TTL_SECONDS = 12 * 3600;

/** The status under which a key is kept whose payment was begun, and whose checkout has no known outcome yet. */
const BEGUN = 102;

/**
 * Begins, or takes up again, one attempt to fund a LIVE agreement. First the payment is written down, then Stripe is asked
 * under its ID, then the answer is kept: whoever repeats the request with its key, however it ended, gets the same payment.
 * While a checkout of the agreement is open, another key is answered with that one: it is never paid twice.
 * @throws ApiError not_found, forbidden, state_conflict, gate_refused, live_unavailable, request_id_conflict, temporarily_unavailable
 */
export async function createLiveIntent(
  ctx: ServiceContext,
  contractId: string,
  attempt: Attempt,
): Promise<Reply<JsonText>> {
  const known = await findAttempt(attempt);
  if (known && known.status !== BEGUN) return replay(known, attempt);
  if (known) replay(known, attempt);
  const paymentId = known ? known.body : await begin(ctx, contractId, attempt);
  try {
    const payment = await openCheckout(ctx, paymentId);
    return await keepAnswer(attempt, payment);
  } catch (thrown) {
    if (thrown instanceof ProcessorError && thrown.kind === "refused") await freeKey(attempt);
    throw toCallerError(thrown);
  }
}

/** What came to nothing spends no key. */
async function freeKey({ actorId, operation, key }: Attempt): Promise<void> {
  await prisma().idempotencyKey.deleteMany({ where: { actorId, operation, key, status: BEGUN } });
}

function findAttempt({ actorId, operation, key }: Attempt) {
  return prisma().idempotencyKey.findUnique({ where: { actorId_operation_key: { actorId, operation, key } } });
}

async function begin(ctx: ServiceContext, contractId: string, attempt: Attempt): Promise<string> {
  const contract = await prisma().contract.findUnique({ where: { id: contractId } });
  const task = contract && (await findTask(contract.taskId));
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
          remedy: remedy && `The provider does this: ${remedy}`,
        })),
      );
    const now = ctx.clock.now();
    const pending = { contractId, status: "pending", paymentMode: "LIVE" } as const;
    const open = await tx.payment.findFirst({ where: pending });
    const payment = open ?? {
      ...pending,
      id: newId("pay"),
      requesterId: ctx.actor.id,
      amountPence: found.contract.amountPence,
      createdAt: now,
      expiresAt: new Date(Math.floor(secondsAfter(now, CHECKOUT_TTL_SECONDS).getTime() / 1000) * 1000),
    };
    const { actorId, operation, key, fingerprint, at } = attempt;
    const mine = await tx.$executeRaw`
      INSERT INTO idempotency_keys (actor_id, operation, key, fingerprint, status, body, created_at)
      VALUES (${actorId}, ${operation}, ${key}, ${fingerprint}, ${BEGUN}, ${payment.id}, ${at}) ON CONFLICT DO NOTHING`;
    if (mine === 0) {
      const first = await tx.idempotencyKey.findUniqueOrThrow({
        where: { actorId_operation_key: { actorId, operation, key } },
      });
      replay(first, attempt);
      return first.status === BEGUN
        ? first.body
        : (JSON.parse(first.body) as { payment: { payment_id: string } }).payment.payment_id;
    }
    if (open) return open.id;
    await tx.payment.create({ data: payment });
    await tx.settlement.updateMany({ where: { contractId, funding: "required" }, data: { funding: "pending" } });
    await audit(tx, ctx, {
      action: "fund",
      subjectKind: "payment",
      subjectId: payment.id,
      data: { task_id: task.id, contract_id: contractId },
    });
    return payment.id;
  });
}

/** Keeps the answer under its key, once; who comes second gets what the first one kept. */
async function keepAnswer(attempt: Attempt, payment: Payment): Promise<Reply<JsonText>> {
  const { actorId, operation, key } = attempt;
  if (payment.status !== "pending" && !payment.stripeSessionId) {
    await freeKey(attempt);
    throw new ApiError("state_conflict", `This payment is ${payment.status}. Begin another.`);
  }
  const body = JSON.stringify({ ok: true, payment: paymentView(payment) });
  const { count } = await prisma().idempotencyKey.updateMany({
    where: { actorId, operation, key, status: BEGUN },
    data: { status: 201, body },
  });
  if (count > 0) return new Reply(201, new JsonText(body));
  const kept = await findAttempt(attempt);
  if (!kept) throw new ApiError("idempotency_in_progress", "Send this request again.", { retryAfterSeconds: 1 });
  return replay(kept, attempt);
}
