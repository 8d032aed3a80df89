import { formatPence } from "#lib/kernel/money.ts";
import { BINDING_REMEDY } from "../gateway/binding.ts";
import type { PayoutSchedule, PlatformFacts } from "../gateway/port.ts";
import { type Configured, checkDestination, checkVersion, DESTINATIONS } from "./destinations.ts";
import { GIVE_RIGHT, result, type SetUpStep, STEPS, unread } from "./set-up-step.ts";

const NOT_CONFIGURED: SetUpStep = {
  number: STEPS.configuration,
  step: "configuration",
  done: false,
  detail: "LIVE payments are not configured on this installation.",
  remedy: "Set PAYMENT_MODE=LIVE and the variables that docs/payments.md names.",
};

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
    checkAccount(facts, configured),
    checkPublicDetails(facts),
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

function checkConfiguration({ connectSecrets }: Configured): SetUpStep {
  return result(
    "configuration",
    connectSecrets < 2 ? ["STRIPE_CONNECT_WEBHOOK_SECRET has one secret, but two destinations use its address."] : [],
    "LIVE is configured.",
    "Add the signing secret of the other destination, after a comma.",
  );
}

/** A key that can read anything is accepted; what it may not read is named by the steps that follow. */
function checkKey({ account, payouts, destinations, hasAccounts }: PlatformFacts): SetUpStep {
  const isAccepted = [account, payouts, destinations, hasAccounts].some((each) => "value" in each);
  return result(
    "key",
    "refused" in account && !isAccepted ? [`Stripe does not accept STRIPE_SECRET_KEY (${account.refused}).`] : [],
    "Stripe accepts the key.",
    "Create a key in Stripe's dashboard, set STRIPE_SECRET_KEY and restart. A restricted key must be able to read the account.",
  );
}

function checkAccount({ account }: PlatformFacts, { bindingProblem }: Configured): SetUpStep {
  if ("refused" in account) return result("account", unread("The account", account.refused), "", GIVE_RIGHT);
  const { id, country, currency, chargesEnabled, payoutsEnabled, due } = account.value;
  if (bindingProblem) return result("account", [bindingProblem], "", BINDING_REMEDY);
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

/** Without these, payers dispute what they do not recognise, and Connect does not show its set-up page. */
function checkPublicDetails({ account }: PlatformFacts): SetUpStep {
  if ("refused" in account) return result("public_details", unread("The account", account.refused), "", GIVE_RIGHT);
  const { unshown } = account.value;
  return result(
    "public_details",
    unshown.length > 0 ? [`Payers and providers are not shown: ${unshown.join(", ")}.`] : [],
    "Payers and providers are shown an icon, a statement descriptor and a support contact.",
    "Add them under Settings, Business in Stripe's dashboard.",
  );
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
    interval === "manual" ? "Payouts are manual." : `Payouts leave at least ${formatPence(minimumPence ?? 0)}.`,
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

function checkRights({ missingRights, untriedRights }: PlatformFacts): SetUpStep {
  return result(
    "rights",
    missingRights.length > 0 ? [`The key lacks: ${missingRights.join("; ")}.`] : [],
    untriedRights.length > 0
      ? `The key has every right that can be tried yet. Check again once a provider has an account: ${untriedRights.join("; ")}.`
      : "The key has every right that the service needs.",
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
