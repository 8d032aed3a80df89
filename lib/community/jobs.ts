import { forgetting } from "#lib/db/forgetting.ts";
import { statement } from "#lib/db/statement.ts";
import type { Job } from "#lib/jobs/job.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { forgetHits } from "./rules/hits.ts";

/** Shared limits count what was made within minutes, also where copies are welcome. */
const LEAST_HOURS = 1;

const forgetBefore = forgetting("community_forget_prints", {
  table: "post_prints",
  key: "post_id",
  where: "at < $1",
  oldestBy: "at",
});

/** Deletes the prints of posts that no longer count as originals. */
export const forgetPrints = ({ clock }: Pick<Context, "clock">): Promise<void> =>
  forgetBefore(secondsAfter(clock.now(), -Math.max(env().copyHours, LEAST_HOURS) * 3_600));

/** For how long a refused post keeps its text, so that its author can appeal. */
const REFUSED_DAYS = 30;

const forgetTexts = statement(
  "community_forget_refused",
  {},
  `UPDATE held_posts SET title = NULL, body = '' WHERE id IN (
     SELECT h.id FROM held_posts h WHERE h.state = 'refused' AND h.decided_at < $1 AND h.body <> '' AND NOT EXISTS (
       SELECT FROM moderations m WHERE m.agent_id = h.author_id AND m.subject_id = h.id AND m.appeal = 'open')
     FOR UPDATE SKIP LOCKED)`,
);

/** Deletes the texts of posts that were refused long ago, except where an appeal is open. */
export async function forgetRefused({ clock }: Pick<Context, "clock">): Promise<void> {
  await forgetTexts(secondsAfter(clock.now(), -REFUSED_DAYS * 86_400));
}

export const communityJobs: Job[] = [
  { name: "forget-prints", schedule: "7 * * * *", run: forgetPrints },
  { name: "forget-refused-posts", schedule: "9 4 * * *", run: forgetRefused },
  { name: "forget-rule-hits", schedule: "12 4 * * *", run: forgetHits },
];
