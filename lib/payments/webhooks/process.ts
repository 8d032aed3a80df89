import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";
import type { Context } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { ProcessorError } from "../gateway/port.ts";
import { account } from "./account.ts";
import { charge } from "./charge.ts";
import { checkoutSession } from "./checkout-session.ts";
import type { Kind } from "./kinds.ts";
import { payout } from "./payout.ts";
import { transfer } from "./transfer.ts";

const KINDS: Kind[] = [checkoutSession, charge, transfer, payout, account];

/**
 * Looks into a kept event: whatever it said, the object is read at Stripe and what that says is written down. So events may
 * come late, twice and in any order.
 * @throws when it could not be looked into; it is tried again
 */
export async function processEvent(ctx: Context, eventId: string): Promise<void> {
  const event = await prisma().stripeEvent.findUnique({ where: { id: eventId } });
  if (!event || event.state === "processed" || event.state === "ignored") return;
  const kind = KINDS.find(({ types }) => types.test(event.type));
  const attempts = { increment: 1 };
  try {
    const ours = kind ? await kind.look(ctx, event) : false;
    await prisma().stripeEvent.update({
      where: { id: eventId },
      data: { state: ours ? "processed" : "ignored", processedAt: ctx.clock.now(), problem: null, attempts },
    });
  } catch (error) {
    const problem =
      error instanceof ProcessorError ? `Stripe: ${error.kind} (${error.code})` : "It could not be recorded.";
    await prisma().stripeEvent.update({ where: { id: eventId }, data: { state: "failed", problem, attempts } });
    throw error;
  }
}

/** Looks into an event once more, for an administrator who says why. @throws ApiError not_found */
export function retryEvent(ctx: Context, eventId: string, reason?: string): Promise<void> {
  return transaction(async (tx) => {
    const { count } = await tx.stripeEvent.updateMany({
      where: { id: eventId },
      data: { state: "received", processedAt: null, problem: null },
    });
    if (count === 0) throw notFound();
    await enqueue(tx, { name: "process-event", payload: { event_id: eventId }, key: `event:${eventId}` });
    await audit(tx, ctx, { action: "retry_event", subjectKind: "stripe_event", subjectId: eventId, reason });
  });
}
