import type { Job } from "#lib/jobs/job.ts";
import { expireDueTasks } from "./expire.ts";

export const taskJobs: Job[] = [{ name: "expire-tasks", schedule: "* * * * *", run: expireDueTasks }];
