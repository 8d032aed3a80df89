import { z } from "zod";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { id } from "#lib/kernel/fields.ts";
import { closeCheckout, openCheckout, readPayment } from "#lib/payments/checkout.ts";
import { reconcile } from "#lib/payments/reconcile.ts";
import { sweepPayments } from "#lib/payments/sweep.ts";
import { sendTransfer } from "#lib/payments/transfer.ts";
import { processEvent } from "#lib/payments/webhook/process.ts";

// The background work of LIVE. Where LIVE is not configured nothing plans any of it, and what the clock plans does nothing.

const Payment = z.object({ payment_id: id("pay") });
const Settlement = z.object({ settlement_id: id("stl") });
const StripeEvent = z.object({ event_id: z.string() });

/** A dead process leaves its work to the next sweep, which leaves young work to the living. */
const GRACE_SECONDS = 20;

export const LIVE_JOBS = {
  "open-checkout": async (ctx: Context, payload: unknown) => {
    await openCheckout(ctx, Payment.parse(payload).payment_id);
  },
  "read-payment": async (ctx: Context, payload: unknown) => {
    await readPayment(ctx, Payment.parse(payload).payment_id);
  },
  "close-checkout": (ctx: Context, payload: unknown) => closeCheckout(ctx, Payment.parse(payload).payment_id),
  "send-transfer": async (ctx: Context, payload: unknown) => {
    await sendTransfer(ctx, Settlement.parse(payload).settlement_id);
  },
  "process-event": (ctx: Context, payload: unknown) => processEvent(ctx, StripeEvent.parse(payload).event_id),
  "sweep-payments": () => sweepPayments(GRACE_SECONDS),
  "reconcile-payments": async (ctx: Context) => {
    if (env().stripe) await reconcile(ctx);
  },
};

/** At the start of a worker nobody else can be asked: whatever is open is taken up at once. */
export async function resumePayments(): Promise<void> {
  await sweepPayments(0);
}
