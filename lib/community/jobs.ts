import type { Job } from "#lib/jobs/job.ts";
import { forgetPrints, forgetRefused } from "./rules/forget.ts";

export const communityJobs: Job[] = [
  { name: "forget-prints", schedule: "7 * * * *", run: forgetPrints },
  { name: "forget-refused-posts", schedule: "9 4 * * *", run: forgetRefused },
];
