import { forgetting } from "#lib/db/forgetting.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

/** How long an ended session is kept, for the owner who looks at where they were signed in. */
const KEPT_SECONDS = 30 * 86_400;

// Its challenges go with it.
const forgetExpired = forgetting("sessions.forget", {
  table: "owner_sessions",
  key: "id_digest",
  where: "expires_at < $1",
  oldestBy: "expires_at",
});

/** Deletes sessions that expired more than 30 days ago. */
export const forgetSessions = (ctx: Context): Promise<void> =>
  forgetExpired(secondsAfter(ctx.clock.now(), -KEPT_SECONDS));
