import type { Clock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { storeDelivery } from "./inbox.ts";
import { type Destination, verify } from "./verify.ts";

/**
 * Receives one delivery from Stripe and stores it. It is processed later, because processing calls Stripe.
 * @param raw the body exactly as it was received
 * @throws ApiError not_found (no LIVE here), webhook_refused
 */
export async function receive(
  clock: Clock,
  destination: Destination,
  raw: Uint8Array,
  signature: string | null,
): Promise<void> {
  const { stripe } = env();
  if (!stripe) throw notFound();
  const secret = destination === "platform" ? stripe.webhookSecret : stripe.connectWebhookSecret;
  const delivery = verify(raw, signature, secret, stripe, clock.now());
  if (!delivery)
    throw new ApiError(
      "webhook_refused",
      "This is not an event that Stripe signed for this address and mode within the last five minutes.",
    );
  await storeDelivery(delivery, destination, clock.now());
}
