import { integer } from "#lib/db/columns.ts";
import { forgetting } from "#lib/db/forgetting.ts";
import { statement } from "#lib/db/statement.ts";
import type { Job } from "#lib/jobs/job.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";

const DAY_SECONDS = 86_400;
const KEPT_DAYS = 30;

const tellOfReviews = statement(
  "channel_reviews",
  { told: integer },
  `SELECT count(*)::int AS told FROM (
     SELECT tell_owners('review', ARRAY[t.requester_id], NULL, NULL, t.id || ' ' || t.review_ends_at, $1::timestamptz)
     FROM tasks t JOIN identities i ON i.id = t.requester_id
     WHERE t.state = 'submitted' AND t.review_ends_at > $1 AND t.review_ends_at <= $2
       AND EXISTS (SELECT FROM owner_channels c WHERE c.owner_id = i.owner_id)) told`,
);

/** Notifies owners of reviews that end within a day, once each. */
export async function tellOfEndingReviews(now: Date): Promise<void> {
  await tellOfReviews(now, secondsAfter(now, DAY_SECONDS));
}

/** Deletes notifications that are too old, sent or not, in batches. */
export const forgetNotifications = forgetting("channel_forget", {
  table: "notifications",
  key: "channel_id, number",
  where: "at < $1",
  oldestBy: "at",
});

export const notificationJobs: Job[] = [
  { name: "tell-of-reviews", schedule: "*/10 * * * *", run: (ctx) => tellOfEndingReviews(ctx.clock.now()) },
  {
    name: "forget-notifications",
    schedule: "19 3 * * *",
    run: (ctx) => forgetNotifications(secondsAfter(ctx.clock.now(), -KEPT_DAYS * DAY_SECONDS)),
  },
];
