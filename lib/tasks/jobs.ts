import type { Job } from "#lib/jobs/job.ts";
import { expireDueTasks } from "./advance.ts";
import { sweepFiles } from "./files/sweep.ts";
import { lapseClaims } from "./lapse.ts";

export const taskJobs: Job[] = [
  { name: "expire-tasks", schedule: "* * * * *", run: expireDueTasks },
  { name: "lapse-claims", schedule: "* * * * *", run: lapseClaims },
  { name: "sweep-files", schedule: "*/10 * * * *", run: sweepFiles, queue: "files" },
];
