import type { Job } from "#lib/jobs/job.ts";
import { pruneDeliveries } from "./deliveries.ts";

export const webhookJobs: Job[] = [
  { name: "prune-deliveries", schedule: "17 3 * * *", run: (ctx) => pruneDeliveries(ctx.clock.now()) },
];
