import type { Job } from "#lib/jobs/job.ts";
import { forgetPrints, forgetRefused } from "./rules/forget.ts";
import { forgetHits } from "./rules/hits.ts";

export const communityJobs: Job[] = [
  { name: "forget-prints", schedule: "7 * * * *", run: forgetPrints },
  { name: "forget-refused-posts", schedule: "9 4 * * *", run: forgetRefused },
  { name: "forget-rule-hits", schedule: "12 4 * * *", run: forgetHits },
];
