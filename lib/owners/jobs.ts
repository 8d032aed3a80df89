import { forgetting } from "#lib/db/forgetting.ts";
import type { Job } from "#lib/jobs/job.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";

/** How long an ended session is kept, for the owner who looks at where they were signed in. */
const KEPT_SECONDS = 30 * 86_400;

// Its challenges go with it.
const forgetExpiredSessions = forgetting("sessions.forget", {
  table: "owner_sessions",
  key: "id_digest",
  where: "expires_at < $1",
  oldestBy: "expires_at",
});

/** Deletes sessions that expired more than 30 days ago. */
export const forgetSessions = (ctx: Context): Promise<void> =>
  forgetExpiredSessions(secondsAfter(ctx.clock.now(), -KEPT_SECONDS));

const forgetExpiredAccess = forgetting("access.forget", {
  table: "access_tokens",
  key: "id",
  where: "expires_at < $1",
  oldestBy: "expires_at",
});

/** Deletes access tokens that have expired. The audit trail says that they existed. */
export const forgetAccess = (ctx: Context): Promise<void> => forgetExpiredAccess(ctx.clock.now());

export const ownerJobs: Job[] = [
  { name: "forget-sessions", schedule: "37 3 * * *", run: forgetSessions },
  { name: "forget-access", schedule: "41 3 * * *", run: forgetAccess },
];
