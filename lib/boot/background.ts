import { communityJobs } from "#lib/community/jobs.ts";
import { identityJobs } from "#lib/identity/jobs.ts";
import { housekeepingJobs } from "#lib/jobs/housekeeping.ts";
import type { Job } from "#lib/jobs/job.ts";
import { startWorker, type Worker } from "#lib/jobs/worker.ts";
import { oauthJobs } from "#lib/oauth/jobs.ts";
import { ownerJobs } from "#lib/owners/jobs.ts";
import { paymentJobs, resumePayments } from "#lib/payments/jobs.ts";
import { requireOurAccount, warnAboutPayouts } from "#lib/payments/platform/read.ts";
import { recordJobs } from "#lib/record/jobs.ts";
import { startSigning } from "#lib/record/log/signing-loop.ts";
import { startNotifying } from "#lib/record/notifications/deliver.ts";
import { startRecord } from "#lib/record/record.ts";
import { startDispatcher } from "#lib/record/webhooks/deliver.ts";
import { settlementJobs } from "#lib/settlements/jobs.ts";
import { taskJobs } from "#lib/tasks/jobs.ts";
import { startNightlyBackups } from "./backup/nightly.ts";

/** The jobs of the queue, which any process may run. */
export const JOBS: readonly Job[] = [
  ...identityJobs,
  ...communityJobs,
  ...ownerJobs,
  ...oauthJobs,
  ...taskJobs,
  ...settlementJobs,
  ...paymentJobs,
  ...recordJobs,
  ...housekeepingJobs,
];

/**
 * Starts everything that this process does in the background: placing events and entering them in the log, signing it, jobs, deliveries of
 * webhooks, notifications of owners and nightly backups.
 * @param onStop is called with the name of each part as soon as it runs, and with the function that stops it
 */
export async function startBackground(onStop: (name: string, stop: () => Promise<void>) => void): Promise<void> {
  const record = startRecord();
  onStop("the record", () => record.stop());
  const signing = await startSigning();
  onStop("the log", () => signing.stop());
  const worker = await startJobs();
  onStop("jobs, deliveries and backups", () => worker.stop());
}

/** Takes up what an earlier process left behind, and starts this process's worker, deliveries of webhooks, notifications of owners and nightly backups. */
export async function startJobs(): Promise<Worker> {
  await requireOurAccount();
  await resumePayments();
  void warnAboutPayouts();
  const worker = await startWorker(JOBS);
  const dispatcher = startDispatcher();
  const notifying = startNotifying();
  const backups = startNightlyBackups();
  return {
    async stop() {
      await Promise.all([worker.stop(), dispatcher.stop(), notifying.stop(), backups.stop()]);
    },
  };
}
