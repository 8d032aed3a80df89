import type { Answered, EventDestination, PayoutSchedule, PlatformFacts } from "../gateway/port.ts";

/** One step of setting up LIVE; the steps, their numbers and their names are those of docs/payments.md. */
export type SetUpStep = { number: number; step: StepName; done: boolean; detail: string; remedy: string | null };

/** The number of each step. */
export const STEPS = {
  configuration: 1,
  key: 2,
  account: 3,
  capabilities: 4,
  connect: 5,
  payout_schedule: 6,
  destination_platform: 7,
  destination_connect: 7,
  destination_accounts: 7,
  api_version: 7,
  rights: 8,
  rehearsal: 9,
} as const;
export type StepName = keyof typeof STEPS;

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
    events: [
      "checkout.session.completed",
      "checkout.session.expired",
      "payment_intent.succeeded",
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

const NOT_CONFIGURED: SetUpStep = {
  number: STEPS.configuration,
  step: "configuration",
  done: false,
  detail: "LIVE payments are not configured on this installation.",
  remedy: "Set PAYMENT_MODE=LIVE and the variables that docs/payments.md names.",
};

/** What the configuration says: where the service is reached, and how many signing secrets each address has. */
export type Configured = {
  baseUrl: string;
  connectSecrets: number;
  /** The variables that still hold the placeholder which the steps tell people to begin with. */
  placeholders: string[];
};

/** What the first step puts in place of a signing secret. */
export const PLACEHOLDER = "later";

/** What has already worked from end to end, by our own records. */
export type Rehearsed = {
  accountReady: boolean;
  paid: boolean;
  transferred: boolean;
  /** Whether the last finished reconciliation found no difference; null without any. */
  reconciled: boolean | null;
};

/** Everything that LIVE needs of the platform's account at Stripe, step by step. Pure. */
export function checkPlatform(
  facts: PlatformFacts | undefined,
  configured: Configured,
  rehearsed: Rehearsed,
): SetUpStep[] {
  if (!facts) return [NOT_CONFIGURED];
  const key = checkKey(facts);
  const steps = [checkConfiguration(configured), key];
  // Without a key that Stripe accepts, nothing else can be read.
  if (!key.done) return steps;
  return [
    ...steps,
    checkAccount(facts),
    checkCapabilities(facts),
    checkConnect(facts),
    checkPayouts(facts),
    ...Object.keys(DESTINATIONS).map((step) =>
      checkDestination(step as keyof typeof DESTINATIONS, facts.destinations, configured),
    ),
    checkVersion(facts, configured.baseUrl),
    checkRights(facts),
    checkRehearsal(rehearsed),
  ];
}

function result(step: StepName, problems: string[], detail: string, remedy: string): SetUpStep {
  return problems.length === 0
    ? { number: STEPS[step], step, done: true, detail, remedy: null }
    : { number: STEPS[step], step, done: false, detail: problems.join(" "), remedy };
}

const unread = (what: string, code: string) => [`${what} cannot be read: Stripe refused it (${code}).`];
const GIVE_RIGHT = "Give the key the right to read it.";

function checkConfiguration({ connectSecrets }: Configured): SetUpStep {
  return result(
    "configuration",
    connectSecrets < 2 ? ["STRIPE_CONNECT_WEBHOOK_SECRET has one secret, but two destinations use its address."] : [],
    "LIVE is configured.",
    "Add the signing secret of the other destination, after a comma.",
  );
}

function checkKey({ account }: PlatformFacts): SetUpStep {
  return result(
    "key",
    "refused" in account ? [`Stripe does not accept STRIPE_SECRET_KEY (${account.refused}).`] : [],
    "Stripe accepts the key.",
    "Create a key in Stripe's dashboard, set STRIPE_SECRET_KEY and restart. A restricted key must be able to read the account.",
  );
}

function checkAccount({ account }: PlatformFacts): SetUpStep {
  if ("refused" in account) return result("account", unread("The account", account.refused), "", GIVE_RIGHT);
  const { id, country, currency, chargesEnabled, payoutsEnabled, due } = account.value;
  const problems = [
    ...(country === "GB" ? [] : [`The account's country is ${country || "unknown"}, not GB.`]),
    ...(currency === "gbp" ? [] : [`The account's currency is ${currency || "unknown"}, not GBP.`]),
    ...(chargesEnabled ? [] : ["The account cannot take payments yet."]),
    ...(payoutsEnabled ? [] : ["The account cannot pay out yet."]),
    ...(due.length > 0 ? [`Stripe asks for: ${due.join(", ")}.`] : []),
  ];
  const remedy =
    "Complete the business details in Stripe's dashboard. The country cannot be changed: that needs a new account.";
  return result("account", problems, `The account ${id} can take payments in GBP and pay out.`, remedy);
}

function checkCapabilities({ account }: PlatformFacts): SetUpStep {
  if ("refused" in account) return result("capabilities", unread("The account", account.refused), "", GIVE_RIGHT);
  const problems = Object.entries(account.value.capabilities).flatMap(([name, status]) =>
    status === "active" ? [] : [`${name} is ${status ?? "not requested"}.`],
  );
  return result(
    "capabilities",
    problems,
    "Card payments and transfers are active.",
    "Turn on card payments under Payment methods and Connect in Stripe's dashboard, and wait until Stripe has approved them.",
  );
}

function checkConnect({ hasAccounts }: PlatformFacts): SetUpStep {
  const detail =
    "value" in hasAccounts && !hasAccounts.value
      ? "Connect is on. There is no connected account yet, so nobody knows whether the Connect profile is complete and the platform's liability acknowledged."
      : "Connect is on, and there is a connected account.";
  return result(
    "connect",
    "refused" in hasAccounts ? [`Connected accounts cannot be read: Stripe refused it (${hasAccounts.refused}).`] : [],
    detail,
    "Enable Connect, complete the Connect profile and acknowledge the platform's liability for losses in Stripe's dashboard.",
  );
}

function checkPayouts({ payouts }: PlatformFacts): SetUpStep {
  if ("refused" in payouts)
    return result("payout_schedule", unread("The payout schedule", payouts.refused), "", GIVE_RIGHT);
  const { interval, minimumPence } = payouts.value;
  return result(
    "payout_schedule",
    payoutProblems(payouts.value),
    interval === "manual"
      ? "Payouts are manual."
      : `Payouts leave at least £${((minimumPence ?? 0) / 100).toFixed(2)}.`,
    PAYOUT_REMEDY,
  );
}

export const PAYOUT_REMEDY =
  "Set the platform's payouts to manual, or keep a minimum balance in GBP that covers what is owed.";

/** What is wrong with when the platform's balance is paid out: automatic payouts that leave nothing. Pure. */
export function payoutProblems({ interval, minimumPence }: PayoutSchedule): string[] {
  if (interval === "manual" || (minimumPence ?? 0) > 0) return [];
  return [`Payouts are ${interval ?? "automatic"}, and no minimum balance is kept: they take what is owed to others.`];
}

function checkDestination(
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

/** Snapshots come in the version of their destination; thin events have none. */
function checkVersion({ destinations, apiVersion }: PlatformFacts, baseUrl: string): SetUpStep {
  const ours = "value" in destinations ? destinations.value.filter(({ url }) => url.startsWith(`${baseUrl}/`)) : [];
  const others = ours.filter((each) => each.payload === "snapshot" && each.apiVersion !== apiVersion);
  return result(
    "api_version",
    others.map((each) => `${each.id} sends events in version ${each.apiVersion ?? "unknown"}.`),
    `The service and its destinations use version ${apiVersion}.`,
    `Create the destination again in version ${apiVersion}.`,
  );
}

function checkRights({ missingRights }: PlatformFacts): SetUpStep {
  return result(
    "rights",
    missingRights.length > 0 ? [`The key lacks: ${missingRights.join("; ")}.`] : [],
    "The key has every right that the service needs.",
    "Add the missing rights to the restricted key in Stripe's dashboard, or use a secret key.",
  );
}

function checkRehearsal({ accountReady, paid, transferred, reconciled }: Rehearsed): SetUpStep {
  return result(
    "rehearsal",
    [
      ...(accountReady ? [] : ["No provider's payment account is ready yet."]),
      ...(paid ? [] : ["No payment has been recorded yet."]),
      ...(transferred ? [] : ["No transfer to a provider has been sent yet."]),
      ...(reconciled
        ? []
        : [reconciled === null ? "No reconciliation has run yet." : "The last reconciliation found differences."]),
    ],
    "A provider was connected, paid by card and transferred to, and the last reconciliation found no difference.",
    "Follow the rehearsal in docs/payments.md: set up an account, pay, complete, and run npm run reconcile.",
  );
}
