import { prisma } from "#lib/db/client.ts";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { BINDING_REMEDY, bindingProblem, isLivemode, readBinding } from "../gateway/binding.ts";
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
  const accountId = facts && "value" in facts.account ? facts.account.value.id : null;
  const steps = checkPlatform(
    facts,
    {
      baseUrl,
      bindingProblem: bindingProblem(await readBinding(), { accountId, livemode: isLivemode() }),
      connectSecrets: stripe?.connectWebhookSecrets.length ?? 0,
      placeholders: [
        ...(stripe?.webhookSecrets.includes(PLACEHOLDER) ? ["STRIPE_WEBHOOK_SECRET"] : []),
        ...(stripe?.connectWebhookSecrets.includes(PLACEHOLDER) ? ["STRIPE_CONNECT_WEBHOOK_SECRET"] : []),
      ],
    },
    await readRehearsed(accountId),
  );
  return { ready: steps.every(({ step, done }) => done || step === "rehearsal"), steps };
}

const NOTHING_REHEARSED: Rehearsed = { accountReady: false, paid: false, transferred: false, reconciled: null };

/** What has worked with the account and mode of the configured key: a rehearsal with test cards proves nothing about real money. */
async function readRehearsed(accountId: string | null): Promise<Rehearsed> {
  const binding = await readBinding();
  if (!binding || bindingProblem(binding, { accountId, livemode: isLivemode() })) return NOTHING_REHEARSED;
  const since = { gte: binding.boundAt };
  const [accounts, payments, transfers, last] = await Promise.all([
    prisma().paymentAccount.count({ where: { transfersStatus: "active", refreshedAt: since }, take: 1 }),
    prisma().payment.count({ where: { paymentMode: "LIVE", status: "succeeded", settledAt: since }, take: 1 }),
    prisma().transferIntent.count({ where: { state: "sent", sentAt: since }, take: 1 }),
    prisma().reconciliation.findFirst({
      where: { finishedAt: { not: null }, startedAt: since },
      orderBy: { id: "desc" },
    }),
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
  return (await readBinding()) !== null;
}

/**
 * At the start: refuses a key of another account, or of the other mode, than the one that the records belong to. If Stripe does not
 * answer, the service starts: the same is checked before every call.
 * @throws Error naming both
 */
export async function requireOurAccount(): Promise<void> {
  const records = env().stripe ? await readBinding() : null;
  if (!records) return;
  const problem = bindingProblem(records, { accountId: await readOwnAccount(), livemode: isLivemode() });
  if (problem) throw new Error(`${problem} ${BINDING_REMEDY}`);
}

async function readOwnAccount(): Promise<string | null> {
  try {
    return await (await liveGateway()).readOwnAccount();
  } catch (error) {
    log().warn({ err: error }, "the platform's account at Stripe could not be read");
    return null;
  }
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
