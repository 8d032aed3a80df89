import type { Endpoint } from "#lib/kernel/endpoint.ts";
import { retryEvent } from "#lib/payments/webhooks/process.ts";
import { ACCOUNT_COMMANDS } from "./commands/accounts.ts";
import { actEndpoint } from "./commands/act.ts";
import type { Command } from "./commands/command.ts";
import { IDENTITY_COMMANDS } from "./commands/identities.ts";
import { MONEY_COMMANDS } from "./commands/money.ts";
import { REPORT_COMMANDS } from "./commands/reports.ts";
import { removeJob, retryJob } from "./job-acts.ts";
import { EventId, JobId } from "./schema.ts";

const COMMANDS: Command[] = [ACCOUNT_COMMANDS, IDENTITY_COMMANDS, MONEY_COMMANDS, REPORT_COMMANDS].flatMap((group) =>
  Object.values(group),
);

/** All acts of the administrators' console: those that are commands too, and those on the queues, which are not. */
export const adminEndpoints: Endpoint[] = [
  ...COMMANDS.flatMap(({ endpoint }) => endpoint ?? []),
  actEndpoint("retry_job", "Retry a background job", { job_id: JobId }, (ctx, { job_id: jobId, reason }) =>
    retryJob(ctx, { jobId, reason }),
  ),
  actEndpoint("remove_job", "Remove a background job from the queue", { job_id: JobId }, (ctx, input) =>
    removeJob(ctx, { jobId: input.job_id, reason: input.reason }),
  ),
  actEndpoint(
    "retry_event",
    "Process a Stripe event again",
    { event_id: EventId },
    async (ctx, { event_id, reason }) => {
      await retryEvent(ctx, event_id, reason);
      return { event_id };
    },
  ),
];
