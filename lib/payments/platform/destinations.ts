import type { Answered, EventDestination, PlatformFacts } from "../gateway/port.ts";
import { GIVE_RIGHT, result, type SetUpStep, unread } from "./set-up-step.ts";

type Destination = {
  path: string;
  payload: "snapshot" | "thin";
  from: string[];
  /** Every one of these is needed. */
  events: string[];
  /** The variable that holds its signing secret. */
  secret: string;
};

const [SELF, CONNECTED] = [
  ["@self", "self"],
  ["@accounts", "other_accounts"],
];

/** The event destinations that the service needs. */
export const DESTINATIONS = {
  destination_platform: {
    path: "/api/v1/payments/webhook.php",
    secret: "STRIPE_WEBHOOK_SECRET",
    payload: "snapshot",
    from: SELF as string[],
    // Reconciliation looks for these in Stripe's list, which takes at most twenty types at once. Types that say nothing new are left out:
    // what happens to a refund comes as `refund.*` too, and a card pays at once or not at all.
    events: [
      "checkout.session.completed",
      "checkout.session.expired",
      "payment_intent.succeeded",
      "charge.updated",
      "charge.refunded",
      "charge.dispute.created",
      "charge.dispute.updated",
      "charge.dispute.closed",
      "charge.dispute.funds_withdrawn",
      "charge.dispute.funds_reinstated",
      "refund.created",
      "refund.updated",
      "refund.failed",
      "transfer.created",
      "transfer.updated",
      "transfer.reversed",
      "radar.early_fraud_warning.created",
      "radar.early_fraud_warning.updated",
      "review.opened",
      "review.closed",
    ],
  },
  destination_connect: {
    path: "/api/v1/payments/webhook_connect.php",
    secret: "STRIPE_CONNECT_WEBHOOK_SECRET",
    payload: "snapshot",
    from: CONNECTED as string[],
    events: [
      "payout.created",
      "payout.updated",
      "payout.paid",
      "payout.failed",
      "payout.canceled",
      "account.updated",
      "account.application.deauthorized",
      "account.external_account.created",
      "account.external_account.updated",
      "account.external_account.deleted",
    ],
  },
  destination_accounts: {
    path: "/api/v1/payments/webhook_connect.php",
    secret: "STRIPE_CONNECT_WEBHOOK_SECRET",
    payload: "thin",
    from: CONNECTED as string[],
    events: [
      "v2.core.account.created",
      "v2.core.account.updated",
      "v2.core.account.closed",
      "v2.core.account[requirements].updated",
      "v2.core.account[configuration.recipient].capability_status_updated",
    ],
  },
} as const satisfies Record<string, Destination>;

/** What the configuration says: where the service is reached, and how many signing secrets each address has. */
export type Configured = {
  baseUrl: string;
  /** What is wrong if the key is of another account or mode than the records. */
  bindingProblem?: string | undefined;
  connectSecrets: number;
  /** The variables that still hold the placeholder which the steps tell people to begin with. */
  placeholders: string[];
};

/** What the first step puts in place of a signing secret. */
export const PLACEHOLDER = "later";

/** Whether one of the destinations is there, enabled and complete. Pure. */
export function checkDestination(
  step: keyof typeof DESTINATIONS,
  destinations: Answered<EventDestination[]>,
  { baseUrl, placeholders }: Configured,
): SetUpStep {
  const { path, payload, from, events, secret }: Destination = DESTINATIONS[step];
  const url = `${baseUrl}${path}`;
  const source = from.includes("@self") ? "your account" : "connected accounts";
  const remedy = `Create an event destination for ${url} with ${payload} payloads and events from ${source}. docs/payments.md lists its event types.`;
  if ("refused" in destinations)
    return result(step, unread("Event destinations", destinations.refused), "", GIVE_RIGHT);
  const found = destinations.value.filter((each) => isFor(each, { path, payload, from }, baseUrl));
  const enabled = found.filter((each) => each.enabled);
  const covered = new Set(enabled.flatMap((each) => each.events));
  const missing = covered.has("*") ? [] : events.filter((type) => !covered.has(type));
  const problems =
    found.length === 0
      ? [`No event destination sends ${payload} events from ${source} to ${url}.`]
      : enabled.length === 0
        ? [`The event destination for ${payload} events to ${url} is disabled.`]
        : missing.length > 0
          ? [`The event destination does not send: ${missing.join(", ")}.`]
          : placeholders.includes(secret)
            ? [`${secret} still contains "${PLACEHOLDER}": put the destination's signing secret there.`]
            : [];
  return result(step, problems, `${payload} events from ${source} are sent to ${url}.`, remedy);
}

function isFor(
  each: EventDestination,
  { path, payload, from }: Pick<Destination, "path" | "payload" | "from">,
  baseUrl: string,
): boolean {
  return each.url === `${baseUrl}${path}` && each.payload === payload && each.from.some((one) => from.includes(one));
}

/**
 * Snapshots come in the version of their destination; thin events have none. Another version than ours is no fault: of an event only the
 * IDs are read, and the object itself is read in our version.
 */
export function checkVersion({ destinations, apiVersion }: PlatformFacts, baseUrl: string): SetUpStep {
  const ours = "value" in destinations ? destinations.value.filter(({ url }) => url.startsWith(`${baseUrl}/`)) : [];
  const others = ours.filter((each) => each.payload === "snapshot" && each.apiVersion !== apiVersion);
  const named = others.map((each) => `${each.id} (${each.apiVersion ?? "unknown"})`).join(", ");
  return result(
    "api_version",
    [],
    others.length === 0
      ? `The service and its destinations use version ${apiVersion}.`
      : `The service uses version ${apiVersion}. Other versions, as of ${named}, work too, because only IDs are taken from events. For new destinations choose ${apiVersion}.`,
    "",
  );
}
