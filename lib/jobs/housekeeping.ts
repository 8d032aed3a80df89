import { forgetAnswers } from "#lib/db/forget-answers.ts";
import { forgetLimits } from "#lib/db/forget-limits.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import { env } from "#lib/kernel/env.ts";
import type { Job } from "./job.ts";

const DAY_SECONDS = 86_400;

/** Jobs that belong to no feature. */
export const housekeepingJobs: Job[] = [
  {
    name: "forget-answers",
    schedule: "47 3 * * *",
    run: (ctx) => forgetAnswers(secondsAfter(ctx.clock.now(), -env().idempotencyRetentionDays * DAY_SECONDS)),
  },
  { name: "forget-limits", schedule: "27 * * * *", run: (ctx) => forgetLimits(ctx.clock.now()) },
];
