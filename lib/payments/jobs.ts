import { z } from "zod";
import type { Job } from "#lib/jobs/job.ts";
import { env } from "#lib/kernel/env.ts";
import { id } from "#lib/kernel/fields.ts";
import { performAct } from "./acts/perform.ts";
import { findAlerts } from "./alerts/find.ts";
import { sendAlerts } from "./alerts/send.ts";
import { closeCheckout, openCheckout, readPayment } from "./checkouts/checkout.ts";
import { reconcile } from "./reconciliation/reconcile.ts";
import { sweepPayments } from "./reconciliation/sweep.ts";
import { sendTransfer } from "./transfers/send.ts";
import { processEvent } from "./webhooks/process.ts";

const Payment = z.object({ payment_id: id("pay") });
const Settlement = z.object({ settlement_id: id("stl") });
const Act = z.object({ id: id("act") });
const StripeEvent = z.object({ event_id: z.string() });

/** The sweep takes up work that a stopped process left behind. It leaves younger work to the process that began it. */
const GRACE_SECONDS = 20;

/** The background work of LIVE. Where LIVE is not configured nothing enqueues these, and the scheduled ones do nothing. */
export const paymentJobs: Job[] = [
  { name: "open-checkout", run: (ctx, payload) => openCheckout(ctx, Payment.parse(payload).payment_id) },
  { name: "read-payment", run: (ctx, payload) => readPayment(ctx, Payment.parse(payload).payment_id) },
  { name: "close-checkout", run: (ctx, payload) => closeCheckout(ctx, Payment.parse(payload).payment_id) },
  { name: "send-transfer", run: (ctx, payload) => sendTransfer(ctx, Settlement.parse(payload).settlement_id) },
  { name: "perform-act", run: (ctx, payload) => performAct(ctx, Act.parse(payload).id) },
  { name: "process-event", run: (ctx, payload) => processEvent(ctx, StripeEvent.parse(payload).event_id) },
  { name: "sweep-payments", schedule: "* * * * *", run: () => sweepPayments(GRACE_SECONDS) },
  { name: "find-alerts", schedule: "* * * * *", run: findAlerts },
  { name: "send-alerts", run: sendAlerts },
  {
    name: "reconcile-payments",
    schedule: "*/10 * * * *",
    // It can take minutes: it comes last, and never takes more than one place of a worker.
    priority: 10,
    queue: "reconciliation",
    run: async (ctx) => {
      if (env().stripe) await reconcile(ctx);
    },
  },
];

/** At the start of a worker, open work is taken up at once, however young: the process that began it may be gone. */
export function resumePayments(): Promise<void> {
  return sweepPayments(0);
}
