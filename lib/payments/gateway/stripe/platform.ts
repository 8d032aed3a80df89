import type Stripe from "stripe";
import type { Answered, EventDestination, LiveGateway, PayoutSchedule } from "../port.ts";
import { ProcessorError } from "../port.ts";
import { send } from "./call.ts";

/** The API version that this code is written against; the stripe package's types describe the same version. */
export const STRIPE_API_VERSION = "2026-10-28.endive";

/** An ID that no object has. */
const NONE = "guildhall_check";

type Right = {
  right: string;
  method: "GET" | "POST";
  path: string;
  /** It is about the objects of connected accounts. */
  connected?: true;
};

/**
 * For each right a call that needs it and changes nothing: it reads, or it would change an object that does not exist. So with the
 * right Stripe answers 200, 400 or 404, and without it 403. Reading is contained in writing.
 */
const RIGHTS: readonly Right[] = [
  { right: "Checkout Sessions: write", method: "POST", path: `/v1/checkout/sessions/cs_${NONE}/expire` },
  { right: "PaymentIntents: read", method: "GET", path: `/v1/payment_intents/pi_${NONE}` },
  { right: "Charges: read", method: "GET", path: `/v1/charges/ch_${NONE}` },
  { right: "Refunds: write", method: "POST", path: `/v1/refunds/re_${NONE}` },
  { right: "Disputes: read", method: "GET", path: `/v1/disputes/dp_${NONE}` },
  { right: "Early fraud warnings: read", method: "GET", path: `/v1/radar/early_fraud_warnings/issfr_${NONE}` },
  { right: "Reviews: read", method: "GET", path: `/v1/reviews/prv_${NONE}` },
  { right: "Transfers: write", method: "POST", path: `/v1/transfers/tr_${NONE}/reversals` },
  { right: "Balance: read", method: "GET", path: "/v1/balance" },
  { right: "Balance settings: read", method: "GET", path: "/v1/balance_settings" },
  { right: "Balance transactions: read", method: "GET", path: "/v1/balance_transactions?limit=1" },
  { right: "Events: read", method: "GET", path: "/v1/events?limit=1" },
  { right: "Event destinations: read", method: "GET", path: "/v2/core/event_destinations?limit=1" },
  { right: "Accounts v1: read", method: "GET", path: `/v1/accounts/acct_${NONE}` },
  { right: "Accounts v2: write", method: "POST", path: `/v2/core/accounts/acct_${NONE}` },
  { right: "Account links v2: write", method: "POST", path: "/v2/core/account_links" },
  { right: "Login links: write", method: "POST", path: `/v1/accounts/acct_${NONE}/login_links` },
  {
    // Without parameters it changes nothing.
    right: "Balance settings of connected accounts: write",
    method: "POST",
    path: "/v1/balance_settings",
    connected: true,
  },
  { right: "Payouts of connected accounts: read", method: "GET", path: "/v1/payouts?limit=1", connected: true },
  {
    right: "Balance transactions of connected accounts: read",
    method: "GET",
    path: "/v1/balance_transactions?limit=1",
    connected: true,
  },
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
      const stripeAccount = "value" in connected ? connected.value.data[0]?.id : undefined;
      const [missingRights, untriedRights]: [string[], string[]] = [[], []];
      for (const each of RIGHTS)
        if (each.connected && !stripeAccount) untriedRights.push(each.right);
        else if (!(await hasRight(stripe, each, stripeAccount))) missingRights.push(each.right);
      return {
        apiVersion: STRIPE_API_VERSION,
        account: map(account, (found) => ({
          id: found.id,
          country: found.country ?? "",
          currency: found.default_currency ?? "",
          // Neither is promised to be there.
          chargesEnabled: found.charges_enabled === true,
          payoutsEnabled: found.payouts_enabled === true,
          unshown: unshownOf(found),
          due: found.requirements?.currently_due ?? [],
          capabilities: { card_payments: found.capabilities?.card_payments, transfers: found.capabilities?.transfers },
        })),
        payouts: map(settings, toSchedule),
        destinations,
        hasAccounts: map(connected, ({ data }) => data.length > 0),
        missingRights,
        untriedRights,
      };
    },
  };
}

function unshownOf({ settings, business_profile: profile }: Stripe.Account): string[] {
  const isReachable = profile?.support_email || profile?.support_phone || profile?.support_url;
  return [
    ...(settings?.branding?.icon ? [] : ["an icon (Branding)"]),
    ...(settings?.payments?.statement_descriptor ? [] : ["a statement descriptor"]),
    ...(isReachable ? [] : ["a support contact"]),
  ];
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

async function hasRight(
  stripe: Stripe,
  { method, path, connected }: Right,
  stripeAccount: string | undefined,
): Promise<boolean> {
  try {
    await send(stripe.rawRequest(method, path, {}, connected && stripeAccount ? { stripeAccount } : {}));
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
