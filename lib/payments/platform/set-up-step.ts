/** One step of setting up LIVE; the steps, their numbers and their names are those of docs/payments.md. */
export type SetUpStep = { number: number; step: StepName; done: boolean; detail: string; remedy: string | null };

/** The number of each step. */
export const STEPS = {
  configuration: 1,
  key: 2,
  account: 3,
  public_details: 3,
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

/** @param detail what holds if there are no problems */
export function result(step: StepName, problems: string[], detail: string, remedy: string): SetUpStep {
  return problems.length === 0
    ? { number: STEPS[step], step, done: true, detail, remedy: null }
    : { number: STEPS[step], step, done: false, detail: problems.join(" "), remedy };
}

/** The problem of something that Stripe does not show us. */
export const unread = (what: string, code: string) => [`${what} cannot be read: Stripe refused it (${code}).`];
export const GIVE_RIGHT = "Give the key the right to read it.";
