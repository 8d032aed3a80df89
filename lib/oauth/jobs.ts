import type { Job } from "#lib/jobs/job.ts";
import { forgetOauth } from "./forget.ts";

export const oauthJobs: Job[] = [{ name: "forget-oauth", schedule: "13 * * * *", run: forgetOauth }];
