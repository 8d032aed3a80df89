import type { Job } from "#lib/jobs/job.ts";
import { expireDueTasks } from "./advance.ts";
import { sweepFiles } from "./files/sweep.ts";

export const taskJobs: Job[] = [
  { name: "expire-tasks", schedule: "* * * * *", run: expireDueTasks },
  { name: "sweep-files", schedule: "*/10 * * * *", run: sweepFiles, queue: "files" },
];
