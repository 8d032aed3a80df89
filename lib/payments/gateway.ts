import { env } from "#lib/kernel/env.ts";
import { liveUnavailable } from "./live.ts";
import type { LiveGateway } from "./port.ts";

const shared = globalThis as { guildhallStripe?: { key: string; gateway: LiveGateway } };

/**
 * LIVE's gateway: Stripe, or a clear refusal. Loaded when it is first needed, so that TEST never touches it.
 * @throws ApiError live_unavailable
 */
export async function liveGateway(): Promise<LiveGateway> {
  const { stripe, baseUrl } = env();
  if (!stripe) throw liveUnavailable();
  const key = JSON.stringify([stripe, baseUrl]);
  if (shared.guildhallStripe?.key !== key) {
    const { stripeGateway } = await import("./stripe.ts");
    shared.guildhallStripe = { key, gateway: stripeGateway(stripe, baseUrl) };
  }
  return shared.guildhallStripe.gateway;
}
