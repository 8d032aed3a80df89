import { secondsAfter } from "#lib/kernel/clock.ts";
import type { OwnerContext } from "#lib/kernel/context.ts";
import { ApiError } from "#lib/kernel/errors.ts";

/** How long a confirmation lasts. */
export const CONFIRMED_SECONDS = 300;

/**
 * Lets only those through who have proved within the last five minutes that they are the owner: by signing in, or by
 * confirming it since.
 * @throws ApiError forbidden, reason `step_up_required`
 */
export function requireRecentConfirmation({ actor, clock }: OwnerContext): void {
  if (actor.confirmedAt && actor.confirmedAt > secondsAfter(clock.now(), -CONFIRMED_SECONDS)) return;
  throw new ApiError("forbidden", "Confirm that it is you, then try again.", { reason: "step_up_required" });
}
