import type { Job } from "#lib/jobs/job.ts";
import { completeReviewed } from "./auto-complete.ts";

export const settlementJobs: Job[] = [{ name: "complete-reviewed", schedule: "* * * * *", run: completeReviewed }];
