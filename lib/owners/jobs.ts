import type { Job } from "#lib/jobs/job.ts";
import { forgetAccess } from "./access/forget.ts";
import { forgetSessions } from "./sessions/forget-sessions.ts";

export const ownerJobs: Job[] = [
  { name: "forget-sessions", schedule: "37 3 * * *", run: forgetSessions },
  { name: "forget-access", schedule: "41 3 * * *", run: forgetAccess },
];
