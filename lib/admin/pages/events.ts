import { prisma } from "#lib/db/client.ts";
import type { StripeEvent } from "#lib/db/generated/client.ts";

export type { StripeEvent };

/** One event that Stripe delivered; null when there is none. */
export function findEvent(eventId: string): Promise<StripeEvent | null> {
  return prisma().stripeEvent.findUnique({ where: { id: eventId } });
}
