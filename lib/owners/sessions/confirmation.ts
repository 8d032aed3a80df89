import type { OwnerActor } from "#lib/kernel/actor.ts";
import { type Clock, secondsAfter } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";

/** A caller whose session may need a confirmation. */
type Confirmable = { actor: Pick<OwnerActor, "confirmedAt" | "hasSecondFactor">; clock: Clock };

/** How long a confirmation lasts. */
export const CONFIRMED_SECONDS = 300;

const RECENT =
  "a sign-in or confirmation within the last 5 minutes (`owners/step_up.php`); otherwise 403 `forbidden`, reason `step_up_required`.";
/** What the descriptions of endpoints say that call `requireRecentConfirmation`, and `requireFactorConfirmation`. */
export const NEEDS_CONFIRMATION = `Needs ${RECENT}`;
export const NEEDS_FACTOR_CONFIRMATION = `If the account has a second factor, this needs ${RECENT}`;

/**
 * Requires that the caller signed in or confirmed within the last five minutes.
 * @throws ApiError forbidden, reason `step_up_required`
 */
export function requireRecentConfirmation({ actor, clock }: Confirmable): void {
  if (actor.confirmedAt && actor.confirmedAt > secondsAfter(clock.now(), -CONFIRMED_SECONDS)) return;
  const how = actor.hasSecondFactor ? "with a passkey or a code" : "with your password, or by signing in again";
  throw new ApiError("forbidden", `Confirm that it is you, ${how}, then try again (owners/step_up.php).`, {
    reason: "step_up_required",
  });
}

/**
 * The same for an account with a second factor. An account without one needs no confirmation.
 * @throws ApiError forbidden, reason `step_up_required`
 */
export function requireFactorConfirmation(ctx: Confirmable): void {
  if (ctx.actor.hasSecondFactor) requireRecentConfirmation(ctx);
}

/** Whether this is an administrator who still has to set up the required second factor. */
export function lacksRequiredFactor({ role, hasSecondFactor }: OwnerActor): boolean {
  return role === "administrator" && !hasSecondFactor && env().adminSecondFactor === "required";
}
