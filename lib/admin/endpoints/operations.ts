import { retryEvent } from "#lib/payments/webhooks/process.ts";
import { removeJob, retryJob } from "../job-acts.ts";
import * as schema from "../schema.ts";
import { act } from "./act.ts";

export const operationActs = [
  act({
    name: "retry_job",
    summary: "Retry a background job",
    input: schema.JobInput,
    output: schema.JobAnswer,
    errors: ["state_conflict"],
    run: (ctx, { job_id: jobId, reason }) => retryJob(ctx, { jobId, reason }),
  }),
  act({
    name: "remove_job",
    summary: "Remove a background job from the queue",
    input: schema.JobInput,
    output: schema.JobAnswer,
    errors: ["state_conflict"],
    run: (ctx, { job_id: jobId, reason }) => removeJob(ctx, { jobId, reason }),
  }),
  act({
    name: "retry_event",
    summary: "Process a Stripe event again",
    input: schema.EventInput,
    output: schema.EventAnswer,
    run: async (ctx, { event_id, reason }) => {
      await retryEvent(ctx, event_id, reason);
      return { event_id };
    },
  }),
];
