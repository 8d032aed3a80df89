import type { Clock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { log } from "#lib/kernel/log.ts";
import { storeDelivery } from "./keep-event.ts";
import { type Destination, isOurMode, verify } from "./verify.ts";

/**
 * Accepts one delivery from Stripe: stores it, and a job processes it later. Nobody outside is asked. A well-signed event of the other
 * mode (live or test) is acknowledged and dropped: Stripe disables an address that keeps refusing.
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
  const secrets = destination === "platform" ? stripe.webhookSecrets : stripe.connectWebhookSecrets;
  const delivery = verify(raw, signature, secrets, clock.now());
  if (!delivery)
    throw new ApiError(
      "webhook_refused",
      "Stripe has not signed this for this address in the last five minutes. Check the address's signing secrets.",
    );
  if (!isOurMode(delivery, stripe)) {
    log().info({ event: delivery.id, type: delivery.type }, "an event of the other Stripe mode was dropped");
    return;
  }
  await storeDelivery(delivery, destination, clock.now());
}
