import type { Job } from "#lib/jobs/job.ts";
import { forgetPrints } from "./rules/forget-prints.ts";

export const communityJobs: Job[] = [{ name: "forget-prints", schedule: "7 * * * *", run: forgetPrints }];
