import { identityJobs } from "#lib/identity/jobs.ts";
import type { Job } from "#lib/jobs/job.ts";
import { startWorker, type Worker } from "#lib/jobs/worker.ts";
import { paymentJobs, resumePayments } from "#lib/payments/jobs.ts";
import { warnAboutPayouts } from "#lib/payments/platform/read.ts";
import { recordJobs } from "#lib/record/jobs.ts";
import { settlementJobs } from "#lib/settlements/jobs.ts";
import { taskJobs } from "#lib/tasks/jobs.ts";

/** Everything that runs in the background. */
export const JOBS: readonly Job[] = [...identityJobs, ...taskJobs, ...settlementJobs, ...paymentJobs, ...recordJobs];

/** Takes up what an earlier process left behind, and starts this process's worker. */
export async function startBackgroundWork(): Promise<Worker> {
  await resumePayments();
  void warnAboutPayouts();
  return startWorker(JOBS);
}
