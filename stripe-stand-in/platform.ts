import type Stripe from "stripe";
import { accountRest, NOTHING_REQUIRED } from "./account-views.ts";
import { endpoint } from "./endpoint.ts";
import { API_VERSION, find, type World } from "./world.ts";

// The platform's own account, and where Stripe sends events.

/** What the operator has set up in Stripe's dashboard. */
export type Platform = {
  country: string;
  currency: string;
  chargesEnabled: boolean;
  payoutsEnabled: boolean;
  due: string[];
  capabilities: { card_payments: "active" | "inactive" | "pending"; transfers: "active" | "inactive" | "pending" };
  schedule: "manual" | "daily";
  minimumPence: number | null;
  /** What payers and providers are shown: an icon, the name on card statements, and where to ask. */
  shown: { icon: string | null; descriptor: string | null; supportEmail: string | null };
  destinations: Stripe.V2.Core.EventDestination[];
  /** What Stripe asks of the platform before it may create connected accounts; null once all is done. */
  connectRefusal: ConnectRefusal | null;
};

/** The codes with which Stripe refuses a platform whose Connect set-up is incomplete. */
type ConnectRefusal =
  | "account_creation_liability_unacknowledged"
  | "account_creation_losses_collector_unavailable"
  | "account_terms_of_service_not_accepted"
  | "account_create_activation_required"
  | "accounts_v2_access_blocked"
  | "connect_identity_not_verified"
  | "connect_profile_not_submitted"
  | "non_connect_platform_accounts_v2_access_blocked"
  | "platform_registration_required";

/** A platform that is completely set up, apart from its event destinations. */
export const newPlatform = (): Platform => ({
  country: "GB",
  currency: "gbp",
  chargesEnabled: true,
  payoutsEnabled: true,
  due: [],
  capabilities: { card_payments: "active", transfers: "active" },
  schedule: "manual",
  minimumPence: null,
  shown: { icon: "file_icon", descriptor: "GUILDHALL", supportEmail: "support@example.org" },
  destinations: [],
  connectRefusal: null,
});

/** An enabled event destination for all events of its kind. */
export function destinationOf(
  world: World,
  url: string,
  payload: "snapshot" | "thin",
  from: "@self" | "@accounts",
): Stripe.V2.Core.EventDestination {
  return {
    id: world.id("ed"),
    object: "v2.core.event_destination",
    created: new Date(world.nowMs()).toISOString(),
    description: "",
    enabled_events: ["*"],
    event_payload: payload,
    events_from: [from],
    livemode: world.livemode,
    name: `${payload} events from ${from}`,
    ...(payload === "snapshot" ? { snapshot_api_version: API_VERSION } : {}),
    status: "enabled",
    type: "webhook_endpoint",
    updated: new Date(world.nowMs()).toISOString(),
    webhook_endpoint: { url },
  };
}

const balanceSettings = (platform: Platform) =>
  ({
    object: "balance_settings",
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: platform.minimumPence === null ? null : { gbp: platform.minimumPence },
        schedule: { interval: platform.schedule },
        statement_descriptor: null,
        status: platform.payoutsEnabled ? "enabled" : "disabled",
      },
      settlement_timing: { delay_days: 2 },
    },
  }) as Stripe.BalanceSettings;

export const platformEndpoints = [
  endpoint("GET", "/v1/account", ({ world }) => {
    const { platform } = world;
    return {
      id: "acct_platform",
      object: "account",
      ...accountRest("acct_platform", "account"),
      business_profile: { support_email: platform.shown.supportEmail } as Stripe.Account.BusinessProfile,
      settings: {
        branding: { icon: platform.shown.icon, logo: null, primary_color: null, secondary_color: null },
        payments: { statement_descriptor: platform.shown.descriptor },
      } as Stripe.Account.Settings,
      created: world.now(),
      metadata: {},
      capabilities: platform.capabilities,
      charges_enabled: platform.chargesEnabled,
      country: platform.country,
      default_currency: platform.currency,
      details_submitted: true,
      email: null,
      payouts_enabled: platform.payoutsEnabled,
      requirements: { ...NOTHING_REQUIRED, currently_due: platform.due, eventually_due: platform.due },
      type: "standard",
    } satisfies Stripe.Account;
  }),
  endpoint("GET", "/v1/balance_settings", ({ world }) => balanceSettings(world.platform)),
  endpoint<Stripe.BalanceSettingsUpdateParams>("POST", "/v1/balance_settings", ({ world, account }, { payments }) => {
    const days = payments?.settlement_timing?.delay_days_override;
    if (account && days !== undefined) find(world.accounts, "account", account).delayDays = Number(days) || undefined;
    return balanceSettings(world.platform);
  }),
  endpoint<Stripe.V2.Core.EventDestinationListParams & { page?: string }>(
    "GET",
    "/v2/core/event_destinations",
    ({ world }, { include = [] }) => ({
      data: world.platform.destinations.map(({ webhook_endpoint, ...rest }) => ({
        ...rest,
        webhook_endpoint: include.includes("webhook_endpoint.url") ? webhook_endpoint : {},
      })),
      next_page_url: null,
      previous_page_url: null,
    }),
  ),
];
