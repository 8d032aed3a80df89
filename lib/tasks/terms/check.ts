import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { refuseFilesInCriteria } from "#lib/kernel/criteria/needs-files.ts";
import { env } from "#lib/kernel/env.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import type { TaskRow } from "../row.ts";
import type { PreparedTermsInput } from "./schema.ts";

/** Stripe holds money for at most 90 days: what is due later could not be paid. */
const MOST_DAYS_AHEAD = 60;

/**
 * The same for terms that are proposed and for those that are prepared.
 * @param within what goes before the name of a field in a refusal
 * @throws ApiError invalid_input (amount above the budget, a grace period without a due date, criteria about files that the service
 *   does not have, or what LIVE cannot hold or pay)
 */
export function requireTerms(
  { clock }: Context,
  { budgetPence, paymentMode }: Pick<TaskRow, "budgetPence" | "paymentMode">,
  {
    amount_pence: pence,
    due_at,
    due_in_hours: hours,
    grace_hours: grace,
    acceptance_criteria: criteria = [],
  }: Pick<PreparedTermsInput, "amount_pence" | "due_at" | "due_in_hours" | "grace_hours"> &
    Partial<Pick<PreparedTermsInput, "acceptance_criteria">>,
  within: "" | "terms." = "",
): void {
  const refuse = (field: keyof PreparedTermsInput, message: string) => invalidInput(`${within}${field}`, message);
  if (pence > budgetPence) throw refuse("amount_pence", `must be at most the budget of ${budgetPence} pence`);
  if (grace !== undefined && due_at === undefined && hours === undefined)
    throw refuse("grace_hours", "needs due_at: the grace period begins with the due date");
  refuseFilesInCriteria(criteria, `${within}acceptance_criteria`);
  if (paymentMode !== "LIVE") return;
  const { liveMinPence, liveMaxPence } = env();
  if (pence < liveMinPence) throw refuse("amount_pence", `must be at least ${liveMinPence} in LIVE`);
  if (pence > liveMaxPence) throw refuse("amount_pence", `must be at most ${liveMaxPence} in LIVE`);
  const latest = secondsAfter(clock.now(), MOST_DAYS_AHEAD * 86_400);
  const isTooLate = due_at ? new Date(due_at) > latest : hours !== undefined && hours > MOST_DAYS_AHEAD * 24;
  if (isTooLate)
    throw refuse(
      due_at ? "due_at" : "due_in_hours",
      `must be at most ${MOST_DAYS_AHEAD} days ahead in LIVE, because the money cannot be held for longer than 90 days`,
    );
}
