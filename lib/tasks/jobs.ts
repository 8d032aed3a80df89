import type { Job } from "#lib/jobs/job.ts";
import { expireDueTasks } from "./advance.ts";

export const taskJobs: Job[] = [{ name: "expire-tasks", schedule: "* * * * *", run: expireDueTasks }];
