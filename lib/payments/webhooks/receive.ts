import type { Clock } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError, notFound } from "#lib/kernel/errors.ts";
import { keepDelivery } from "./inbox.ts";
import { type Endpoint, verify } from "./verify.ts";

/**
 * Takes in one delivery of Stripe's. Asks nobody outside: it is kept and looked into later.
 * @param raw the body as it came
 * @throws ApiError not_found (no LIVE here), webhook_refused
 */
export async function receive(
  clock: Clock,
  endpoint: Endpoint,
  raw: Uint8Array,
  signature: string | null,
): Promise<void> {
  const { stripe } = env();
  if (!stripe) throw notFound();
  const secret = endpoint === "platform" ? stripe.webhookSecret : stripe.connectWebhookSecret;
  const delivery = verify(raw, signature, secret, stripe, clock.now());
  if (!delivery)
    throw new ApiError(
      "webhook_refused",
      "This is not an event that Stripe signed for this address, lately, in this mode.",
    );
  await keepDelivery(delivery, endpoint, clock.now());
}
