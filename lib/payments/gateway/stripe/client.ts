import Stripe from "stripe";
import type { StripeEnv } from "#lib/kernel/env/stripe.ts";
import type { LiveGateway } from "../port.ts";
import { accounts } from "./accounts.ts";
import { balance } from "./balance.ts";
import { send, since } from "./call.ts";
import { charges } from "./charges.ts";
import { checkouts } from "./checkouts.ts";
import { payouts } from "./payouts.ts";
import { platform, STRIPE_API_VERSION } from "./platform.ts";
import { transfers } from "./transfers.ts";

const TIMEOUT_MS = 10_000;

/**
 * The gateway to Stripe. Every call has a deadline, and the caller knows the intent and decides about a failure. The package repeats a
 * call by itself in one case only, when a reused connection was closed under it: with the same key, so that nothing is made twice.
 */
export function stripeGateway(config: StripeEnv, baseUrl: string): LiveGateway {
  const stripe = new Stripe(config.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    ...config.apiBase,
  });
  return {
    ...checkouts(stripe, baseUrl),
    ...charges(stripe),
    ...transfers(stripe),
    ...balance(stripe),
    ...accounts(stripe, baseUrl),
    ...payouts(stripe),
    ...platform(stripe),

    listEvents: async (from, types) => {
      const list = stripe.events.list({ created: since(from), types: [...types], limit: 100 });
      return (await send(list.autoPagingToArray({ limit: 10_000 }))).map((event) => ({
        id: event.id,
        type: event.type,
        livemode: event.livemode,
        objectId: (event.data.object as { id?: string }).id ?? null,
        createdAt: new Date(event.created * 1000),
      }));
    },
  };
}
