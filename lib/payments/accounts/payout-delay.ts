import { prisma } from "#lib/db/client.ts";
import type { PaymentAccount } from "#lib/db/generated/client.ts";
import { secondsAfter } from "#lib/kernel/clock.ts";
import type { Context } from "#lib/kernel/context.ts";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { liveGateway } from "../gateway/live.ts";
import { ProcessorError } from "../gateway/port.ts";

/** So long after its first transfer a provider is no longer new. */
const NEW_SECONDS = 30 * 86_400;

/**
 * Has Stripe keep a new provider's money for longer before it is paid out to a bank, and lifts that once the provider is no longer new.
 * What Stripe refuses is tried again by the next reconciliation, and holds up nothing else.
 */
export async function setPayoutDelay(ctx: Context, { id, identityId }: Pick<PaymentAccount, "id" | "identityId">) {
  const account = await prisma().paymentAccount.findUniqueOrThrow({ where: { id } });
  if (!account.stripeAccountId || account.closed) return;
  const first = await prisma().transferIntent.findFirst({
    where: { providerId: identityId, state: "sent" },
    orderBy: { sentAt: "asc" },
    select: { sentAt: true },
  });
  const isNew = !first?.sentAt || secondsAfter(first.sentAt, NEW_SECONDS) > ctx.clock.now();
  const days = isNew ? env().liveNewProviderDelayDays : 0;
  if (days === account.payoutDelayDays) return;
  try {
    await (await liveGateway()).setPayoutDelay(account.stripeAccountId, days);
    await prisma().paymentAccount.update({ where: { id }, data: { payoutDelayDays: days } });
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error;
    log().warn({ kind: error.kind, code: error.code, account: id }, "the delay of a provider's payouts was not set");
  }
}
