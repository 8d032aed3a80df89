import { prisma } from "#lib/db/client.ts";
import type { ServiceContext } from "#lib/kernel/context.ts";
import { stateConflict } from "#lib/kernel/errors.ts";
import { toCallerError } from "../gateway/failures.ts";
import { liveGateway } from "../gateway/live.ts";
import { ProcessorError } from "../gateway/port.ts";

/**
 * Returns a link to Stripe's own dashboard of the caller's payment account.
 * @throws ApiError live_unavailable, state_conflict (no account, or not set up yet), temporarily_unavailable
 */
export async function openDashboard(ctx: ServiceContext): Promise<{ dashboard_url: string }> {
  const gateway = await liveGateway();
  const account = await prisma().paymentAccount.findUnique({ where: { identityId: ctx.actor.id } });
  if (!account?.stripeAccountId || account.closed)
    throw stateConflict("You have no payment account. Set one up with payments/account.php.");
  try {
    return { dashboard_url: await gateway.dashboardUrl(account.stripeAccountId) };
  } catch (thrown) {
    // Stripe refuses it until the holder has given all details.
    if (thrown instanceof ProcessorError && thrown.kind === "refused")
      throw stateConflict("Your payment account is not set up yet. Finish that first with payments/account.php.");
    throw toCallerError(thrown);
  }
}
