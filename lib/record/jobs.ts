import type { Job } from "#lib/jobs/job.ts";
import { forgetEvents } from "./forget.ts";

export const recordJobs: Job[] = [{ name: "forget-events", schedule: "17 * * * *", run: forgetEvents }];
