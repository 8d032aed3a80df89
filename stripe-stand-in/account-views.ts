import type Stripe from "stripe";
import type { ConnectedAccount, Requirement, World } from "./world.ts";

// A connected account as each version of Stripe's API returns it.

type Include = Stripe.V2.Core.AccountRetrieveParams.Include;

/** The account as version 2 returns it: parts that are not in `include` are absent. */
export function version2(world: World, account: ConnectedAccount, include: Include[] = []): Stripe.V2.Core.Account {
  const shown = (part: Include) => include.includes(part);
  const capability = (status: ConnectedAccount["transfers"]) => ({
    status,
    status_details:
      status === "active" ? [] : [{ code: "requirements_past_due" as const, resolution: "provide_info" as const }],
  });
  return {
    id: account.id,
    object: "v2.core.account",
    applied_configurations: ["recipient"],
    closed: account.closed,
    ...(account.contactEmail ? { contact_email: account.contactEmail } : {}),
    created: new Date(account.createdMs).toISOString(),
    dashboard: account.dashboard,
    ...(account.displayName ? { display_name: account.displayName } : {}),
    livemode: world.livemode,
    metadata: account.metadata,
    ...(shown("configuration.recipient") && {
      configuration: {
        recipient: {
          applied: true,
          capabilities: {
            stripe_balance: {
              payouts: capability(account.payouts),
              stripe_transfers: capability(account.transfers),
            },
          },
        },
      },
    }),
    ...(shown("defaults") && { defaults: { currency: "gbp", responsibilities: account.responsibilities } }),
    ...(shown("identity") && { identity: identityOf(account) }),
    ...(shown("requirements") && { requirements: requirementsOf(account) }),
    ...(shown("future_requirements") && { future_requirements: { entries: [] } }),
  };
}

function identityOf(account: ConnectedAccount): Stripe.V2.Core.Account.Identity {
  return {
    country: account.country,
    ...(account.verified
      ? {
          entity_type: "individual",
          individual: {
            account: account.id,
            created: "",
            id: `person_${account.id}`,
            object: "v2.core.account_person",
            updated: "",
            given_name: "Ada",
            surname: "Lovelace",
          },
        }
      : {}),
  };
}

function requirementsOf(account: ConnectedAccount): Stripe.V2.Core.Account.Requirements {
  const status =
    account.requirements.find((asked) => asked.status === "past_due")?.status ?? account.requirements[0]?.status;
  return {
    entries: account.requirements.map((asked) => ({
      awaiting_action_from: asked.awaiting ?? "user",
      description: asked.description,
      errors: [],
      impact: {
        restricts_capabilities: [
          {
            capability: "stripe_balance.stripe_transfers",
            configuration: "recipient",
            deadline: { status: asked.status },
          },
        ],
      },
      minimum_deadline: { status: asked.status },
      requested_reasons: [{ code: "routine_onboarding" }],
    })),
    ...(status ? { summary: { minimum_deadline: { status } } } : {}),
  };
}

/** The account as version 1 returns it. */
export function version1(account: ConnectedAccount): Stripe.Account {
  const due = (...statuses: Requirement["status"][]) =>
    account.requirements.flatMap((asked) =>
      statuses.includes(asked.status) && !asked.awaiting ? asked.description : [],
    );
  const pending = account.requirements.flatMap((asked) => (asked.awaiting ? asked.description : []));
  return {
    id: account.id,
    object: "account",
    ...accountRest(account.id, "application"),
    capabilities: { transfers: account.transfers === "active" ? "active" : "inactive" },
    charges_enabled: account.transfers === "active",
    country: account.country,
    created: Math.floor(account.createdMs / 1000),
    default_currency: "gbp",
    details_submitted: account.verified,
    email: account.contactEmail ?? null,
    metadata: account.metadata,
    payouts_enabled: account.payouts === "active",
    requirements: {
      ...NOTHING_REQUIRED,
      currently_due: due("currently_due", "past_due"),
      disabled_reason:
        due("past_due").length > 0
          ? "requirements.past_due"
          : pending.length > 0
            ? "requirements.pending_verification"
            : null,
      eventually_due: account.requirements.map((asked) => asked.description),
      past_due: due("past_due"),
      pending_verification: pending,
    },
    type: "express",
  };
}

/** What Stripe says of an account besides, none of which Guildhall uses. */
export function accountRest(id: string, controller: Stripe.Account.Controller.Type) {
  return {
    business_profile: null,
    business_type: null,
    controller: { type: controller },
    external_accounts: {
      object: "list" as const,
      data: [],
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: NOTHING_REQUIRED,
    settings: null,
    tos_acceptance: { date: null, ip: null, user_agent: null },
  } satisfies Partial<Stripe.Account>;
}

export const NOTHING_REQUIRED = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
} satisfies Stripe.Account.FutureRequirements;
