import type Stripe from "stripe";
import type { Answered, EventDestination, LiveGateway, PayoutSchedule } from "../port.ts";
import { ProcessorError } from "../port.ts";
import { send } from "./call.ts";

/** The API version that this code is written against; the stripe package's types describe the same version. */
export const STRIPE_API_VERSION = "2026-10-28.endive";

/**
 * Calls that need one right each and change nothing. Objects with these IDs do not exist, and the calls that would create something
 * lack every parameter, so with the right Stripe answers 400 or 404, and without it 403.
 */
const RIGHTS: readonly { right: string; method: "GET" | "POST"; path: string }[] = [
  { right: "Checkout Sessions: write", method: "POST", path: "/v1/checkout/sessions" },
  { right: "PaymentIntents: read", method: "GET", path: "/v1/payment_intents/pi_guildhall_check" },
  { right: "Charges: read", method: "GET", path: "/v1/charges/ch_guildhall_check" },
  { right: "Refunds: write", method: "POST", path: "/v1/refunds" },
  { right: "Disputes: read", method: "GET", path: "/v1/disputes/dp_guildhall_check" },
  { right: "Transfers: write", method: "POST", path: "/v1/transfers" },
  { right: "Balance: read", method: "GET", path: "/v1/balance" },
  { right: "Balance transactions: read", method: "GET", path: "/v1/balance_transactions?limit=1" },
  { right: "Events: read", method: "GET", path: "/v1/events?limit=1" },
  { right: "Accounts v2: read", method: "GET", path: "/v2/core/accounts?limit=1" },
  { right: "Login links: write", method: "POST", path: "/v1/accounts/acct_guildhall_check/login_links" },
  { right: "Account links v2: write", method: "POST", path: "/v2/core/account_links" },
];

/** Reads how the platform's own account at Stripe is set up. Changes nothing. */
export function platform(stripe: Stripe): Pick<LiveGateway, "readOwnAccount" | "readPlatform" | "readPayoutSchedule"> {
  return {
    readOwnAccount: async () => (await send(stripe.accounts.retrieveCurrent())).id,

    readPayoutSchedule: async () => toSchedule(await send(stripe.balanceSettings.retrieve())),

    readPlatform: async () => {
      const account = await answered(stripe.accounts.retrieveCurrent());
      const settings = await answered(stripe.balanceSettings.retrieve());
      const destinations = await answered(listDestinations(stripe));
      const connected = await answered(stripe.v2.core.accounts.list({ limit: 1 }));
      const missingRights: string[] = [];
      for (const { right, method, path } of RIGHTS)
        if (!(await hasRight(stripe, method, path))) missingRights.push(right);
      return {
        apiVersion: STRIPE_API_VERSION,
        account: map(account, (found) => ({
          id: found.id,
          country: found.country ?? "",
          currency: found.default_currency ?? "",
          chargesEnabled: found.charges_enabled,
          payoutsEnabled: found.payouts_enabled,
          due: found.requirements?.currently_due ?? [],
          capabilities: { card_payments: found.capabilities?.card_payments, transfers: found.capabilities?.transfers },
        })),
        payouts: map(settings, toSchedule),
        destinations,
        hasAccounts: map(connected, ({ data }) => data.length > 0),
        missingRights,
      };
    },
  };
}

function toSchedule({ payments }: Stripe.BalanceSettings): PayoutSchedule {
  return {
    interval: payments.payouts?.schedule?.interval ?? null,
    minimumPence: payments.payouts?.minimum_balance_by_currency?.gbp ?? null,
  };
}

/** What a call gave, or the code with which Stripe refused it. @throws ProcessorError if Stripe does not answer */
async function answered<Value>(call: Promise<Value>): Promise<Answered<Value>> {
  try {
    return { value: await send(call) };
  } catch (error) {
    if (error instanceof ProcessorError && (error.kind === "refused" || error.kind === "misconfigured"))
      return { refused: error.code };
    throw error;
  }
}

function map<From, To>(from: Answered<From>, change: (value: From) => To): Answered<To> {
  return "value" in from ? { value: change(from.value) } : from;
}

async function hasRight(stripe: Stripe, method: string, path: string): Promise<boolean> {
  try {
    await send(stripe.rawRequest(method, path, {}));
    return true;
  } catch (error) {
    if (!(error instanceof ProcessorError) || error.kind === "unknown" || error.kind === "busy") throw error;
    return error.kind !== "misconfigured";
  }
}

async function listDestinations(stripe: Stripe): Promise<EventDestination[]> {
  const found: EventDestination[] = [];
  for await (const each of stripe.v2.core.eventDestinations.list({ include: ["webhook_endpoint.url"], limit: 100 }))
    if (each.webhook_endpoint?.url)
      found.push({
        id: each.id,
        url: each.webhook_endpoint.url,
        payload: each.event_payload,
        from: each.events_from ?? [],
        events: each.enabled_events,
        apiVersion: each.snapshot_api_version ?? null,
        enabled: each.status === "enabled",
      });
  return found;
}
