import type { Job } from "#lib/jobs/job.ts";
import { forgetEvents } from "./forget.ts";
import { notificationJobs } from "./notifications/jobs.ts";
import { forgetDeliveries } from "./webhooks/deliveries.ts";

export const recordJobs: Job[] = [
  { name: "forget-events", schedule: "17 * * * *", run: forgetEvents },
  { name: "prune-deliveries", schedule: "17 3 * * *", run: (ctx) => forgetDeliveries(ctx.clock.now()) },
  ...notificationJobs,
];
