import { prisma } from "#lib/db/client.ts";
import { refreshAccount } from "../accounts/account.ts";
import type { Kind } from "./kinds.ts";

/** Anything about a connected account, in either version of Stripe's interface: all of it is read afresh. */
export const account: Kind = {
  types: /^(account|capability|person|v2\.core\.account(_\w+)?)(\[|\.)/,
  async look(ctx, { account, objectId }) {
    const named = [account, objectId].flatMap((id) => id ?? []);
    const known = await prisma().paymentAccount.findFirst({ where: { stripeAccountId: { in: named } } });
    if (!known) return false;
    await refreshAccount(ctx, known.identityId);
    return true;
  },
};
