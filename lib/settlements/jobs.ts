import type { Job } from "#lib/jobs/job.ts";
import { completeReviewed } from "./auto-complete.ts";
import { type Finish, finishRehearsal } from "./rehearsals/finish.ts";

export const settlementJobs: Job[] = [
  { name: "finish-rehearsal", run: (ctx, payload) => finishRehearsal(ctx, payload as Finish) },
  { name: "complete-reviewed", schedule: "* * * * *", run: completeReviewed },
];
