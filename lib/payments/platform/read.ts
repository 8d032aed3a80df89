import { prisma } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { toCallerError } from "../gateway/failures.ts";
import { liveGateway } from "../gateway/live.ts";
import { checkPlatform, PAYOUT_REMEDY, payoutProblems, type Rehearsed } from "./check.ts";
import { PLACEHOLDER } from "./destinations.ts";
import type { SetUpStep } from "./set-up-step.ts";

/**
 * How far LIVE is set up, as read from Stripe now: every step with what is missing. It is ready when all are done but the last, the
 * rehearsal. Changes nothing.
 * @throws ApiError temporarily_unavailable
 */
export async function readSetUp(): Promise<{ ready: boolean; steps: SetUpStep[] }> {
  const { stripe, baseUrl } = env();
  const facts = stripe && (await readPlatform());
  const steps = checkPlatform(
    facts,
    {
      baseUrl,
      connectSecrets: stripe?.connectWebhookSecrets.length ?? 0,
      placeholders: [
        ...(stripe?.webhookSecrets.includes(PLACEHOLDER) ? ["STRIPE_WEBHOOK_SECRET"] : []),
        ...(stripe?.connectWebhookSecrets.includes(PLACEHOLDER) ? ["STRIPE_CONNECT_WEBHOOK_SECRET"] : []),
      ],
    },
    await readRehearsed(),
  );
  return { ready: steps.every(({ step, done }) => done || step === "rehearsal"), steps };
}

async function readRehearsed(): Promise<Rehearsed> {
  const [accounts, payments, transfers, last] = await Promise.all([
    prisma().paymentAccount.count({ where: { transfersStatus: "active" }, take: 1 }),
    prisma().payment.count({ where: { paymentMode: "LIVE", status: "succeeded" }, take: 1 }),
    prisma().transferIntent.count({ where: { state: "sent" }, take: 1 }),
    prisma().reconciliation.findFirst({ where: { finishedAt: { not: null } }, orderBy: { id: "desc" } }),
  ]);
  return {
    accountReady: accounts > 0,
    paid: payments > 0,
    transferred: transfers > 0,
    reconciled: last ? last.differences === 0 : null,
  };
}

async function readPlatform() {
  const gateway = await liveGateway();
  return gateway.readPlatform().catch((thrown) => {
    throw toCallerError(thrown);
  });
}

/** Whether anything was ever begun in LIVE: until then Stripe is not called unasked. */
export async function hasBegunLive(): Promise<boolean> {
  const payments = await prisma().payment.count({ where: { paymentMode: "LIVE" }, take: 1 });
  return payments > 0 || (await prisma().paymentAccount.count({ take: 1 })) > 0;
}

/** At the start: logs a warning if the platform's payouts would take what is owed to others. Never fails, and nothing waits for it. */
export async function warnAboutPayouts(): Promise<void> {
  if (!env().stripe) return;
  try {
    if (!(await hasBegunLive())) return;
    const [problem] = payoutProblems(await (await liveGateway()).readPayoutSchedule());
    if (problem) log().warn(`${problem} ${PAYOUT_REMEDY}`);
  } catch (error) {
    log().warn({ err: error }, "the payout schedule at Stripe could not be read");
  }
}
