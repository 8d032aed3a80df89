import { audit } from "#lib/db/audit.ts";
import { prisma } from "#lib/db/client.ts";
import { transaction } from "#lib/db/tx.ts";
import { enqueue } from "#lib/jobs/enqueue.ts";
import type { Context } from "#lib/kernel/context.ts";
import { notFound } from "#lib/kernel/errors.ts";
import { ProcessorError } from "../gateway/port.ts";
import { KINDS } from "./kinds.ts";

/**
 * Processes a stored event. Its content is never believed: the object is read at Stripe, and its current state is recorded. So
 * events may arrive late, twice and in any order.
 * @throws if it could not be processed; the job is then retried
 */
export async function processEvent(ctx: Context, eventId: string): Promise<void> {
  const event = await prisma().stripeEvent.findUnique({ where: { id: eventId } });
  if (!event || event.state === "processed" || event.state === "ignored") return;
  const kind = KINDS.find(({ types }) => types.test(event.type));
  const attempts = { increment: 1 };
  try {
    const ours = kind ? await kind.read(ctx, event) : false;
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

/** Processes an event once more, for an administrator who gives a reason. @throws ApiError not_found */
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
