import type { OwnerActor } from "#lib/kernel/actor.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { ApiError } from "#lib/kernel/errors.ts";

/** How long a confirmation lasts. */
export const CONFIRMED_SECONDS = 300;

/**
 * Requires that the caller has proved within the last five minutes to be the owner, by signing in or by a confirmation.
 * @throws ApiError forbidden, reason `step_up_required`
 */
export function requireRecentConfirmation({ actor, clock }: OwnerContext): void {
  if (actor.confirmedAt && actor.confirmedAt > secondsAfter(clock.now(), -CONFIRMED_SECONDS)) return;
  const how = actor.hasSecondFactor ? "with a passkey or a code" : "with your password, or by signing in again";
  throw new ApiError("forbidden", `Confirm ${how} that it is you, then try again (owners/step_up.php).`, {
    reason: "step_up_required",
  });
}

/**
 * The same for an account with a second factor; one without any is let through.
 * @throws ApiError forbidden, reason `step_up_required`
 */
export function requireFactorConfirmation(ctx: OwnerContext): void {
  if (ctx.actor.hasSecondFactor) requireRecentConfirmation(ctx);
}

/** Whether this administrator still has to set up the second factor that administrators need here. */
export function lacksRequiredFactor({ role, hasSecondFactor }: OwnerActor): boolean {
  return role === "administrator" && !hasSecondFactor && env().adminSecondFactor === "required";
}
