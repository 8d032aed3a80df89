import type { PaymentAccount } from "#lib/db/generated/client.ts";

export type AccountFacts = Pick<
  PaymentAccount,
  | "identityId"
  | "stripeAccountId"
  | "namedIdentityId"
  | "transfersStatus"
  | "payoutsStatus"
  | "requirementsDue"
  | "closed"
  | "refreshedAt"
>;

export type AccountStep = {
  step: "identity_match" | "transfers_active" | "payouts_enabled" | "no_unresolved_requirements";
  done: boolean;
  detail: string;
  remedy: string | null;
};

const ONBOARD = "Open the onboarding_url from POST payments/account.php, and provide what Stripe asks for.";
const WAIT = "Stripe is checking the account and needs nothing from you now. Ask again later.";
const BEGIN = "Set one up with POST payments/account.php.";

/** What a payment account still needs before its identity can be paid. Every open step says what to do. Pure. */
export function accountReadiness(publicId: string, account: AccountFacts | null | undefined): AccountStep[] {
  const there = account?.stripeAccountId && !account.closed ? account : undefined;
  const step = (name: AccountStep["step"], done: boolean, yes: string, no: string, remedy: string): AccountStep =>
    done
      ? { step: name, done, detail: yes, remedy: null }
      : { step: name, done, detail: there ? no : "There is no payment account.", remedy: there ? remedy : BEGIN };
  const due = there?.requirementsDue ?? [];
  const isChecking = due.length === 0 && there?.refreshedAt != null;
  return [
    step(
      "identity_match",
      there?.identityId === publicId && there.namedIdentityId === publicId,
      "The account names this identity.",
      "The account at Stripe does not name this identity.",
      "Ask the administrator: the account's metadata must contain this identity's public_id.",
    ),
    step(
      "transfers_active",
      there?.transfersStatus === "active",
      "The account can receive transfers.",
      `Transfers are ${there?.transfersStatus ?? "unknown"}.`,
      isChecking ? WAIT : ONBOARD,
    ),
    step(
      "payouts_enabled",
      there?.payoutsStatus === "active",
      "The account can be paid out to its bank.",
      `Payouts are ${there?.payoutsStatus ?? "unknown"}.`,
      isChecking ? WAIT : ONBOARD,
    ),
    step(
      "no_unresolved_requirements",
      there !== undefined && due.length === 0,
      "Stripe asks for nothing more.",
      `Stripe asks for: ${due.join(", ")}.`,
      ONBOARD,
    ),
  ];
}

export function isReady(steps: AccountStep[]): boolean {
  return steps.every(({ done }) => done);
}
