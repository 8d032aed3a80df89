import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";
import { bound } from "./binding.ts";
import { reportingMisconfiguration } from "./misconfigured.ts";
import type { LiveGateway } from "./port.ts";

const shared = globalThis as { guildhallStripe?: { key: string; gateway: LiveGateway } };

/**
 * The LIVE gateway. It is loaded when first needed, so an installation without LIVE never loads the Stripe package.
 * @throws ApiError live_unavailable where LIVE is not configured: the simulator never stands in for it
 */
export async function liveGateway(): Promise<LiveGateway> {
  const { stripe, baseUrl } = env();
  if (!stripe)
    throw new ApiError(
      "live_unavailable",
      "LIVE payments are not configured on this installation. TEST is simulated and moves no money.",
    );
  const key = JSON.stringify([stripe, baseUrl]);
  if (shared.guildhallStripe?.key !== key) {
    const { stripeGateway } = await import("./stripe/client.ts");
    shared.guildhallStripe = { key, gateway: reportingMisconfiguration(bound(stripeGateway(stripe, baseUrl))) };
  }
  return shared.guildhallStripe.gateway;
}
