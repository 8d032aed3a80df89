import type { Job } from "#lib/jobs/job.ts";
import { completeReviewed } from "./auto-complete.ts";
import { rehearsalJobs } from "./rehearsals/finish.ts";

export const settlementJobs: Job[] = [
  ...rehearsalJobs,
  { name: "complete-reviewed", schedule: "* * * * *", run: completeReviewed },
];
