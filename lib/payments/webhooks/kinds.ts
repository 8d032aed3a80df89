import { prisma } from "#lib/db/client.ts";
import type { StripeEvent } from "#lib/db/generated/client.ts";
import { transaction } from "#lib/db/tx.ts";
import type { Context } from "#lib/kernel/context.ts";
import { refreshAccount } from "../accounts/account.ts";
import { readPayment } from "../checkouts/checkout.ts";
import { liveGateway } from "../gateway/live.ts";
import { readPayout } from "../payouts/payout.ts";
import { recordTransfer } from "../transfers/record.ts";

/** A kind of event: the types that belong to it, and what one of them makes us read. */
type Kind = {
  types: RegExp;
  /**
   * Reads at Stripe the object that the event is about, and records its current state.
   * @returns whether the object is one of ours
   * @throws ProcessorError if it should be tried again
   */
  read(ctx: Context, event: StripeEvent): Promise<boolean>;
};

/** A checkout was paid, or expired. */
const checkoutSession: Kind = {
  types: /^checkout\.session\./,
  async read(ctx, { objectId }) {
    if (!objectId) return false;
    const known = await prisma().payment.findUnique({ where: { stripeSessionId: objectId }, select: { id: true } });
    // The event may come before we have recorded the session; the session itself has the payment's ID.
    const paymentId = known?.id ?? (await (await liveGateway()).readCheckout(objectId))?.paymentId;
    return paymentId ? (await readPayment(ctx, paymentId, known === null)) !== undefined : false;
  },
};

/** A charge, a refund, a dispute, or a warning of fraud: all are read with the payment that they belong to. */
const charge: Kind = {
  types:
    /^(charge\.(refunded|updated$|refund\.|dispute\.)|refund\.|payment_intent\.succeeded$|radar\.early_fraud_warning\.|review\.)/,
  async read(ctx, { objectId, account }) {
    // A charge on a connected account is none of ours.
    if (!objectId || account) return false;
    const paymentId = await (await liveGateway()).paymentOf(objectId);
    return paymentId ? (await readPayment(ctx, paymentId)) !== undefined : false;
  },
};

/** A transfer was made or reversed. */
const transfer: Kind = {
  types: /^transfer\./,
  async read(ctx, { objectId }) {
    const found = objectId ? await (await liveGateway()).readTransfer(objectId) : undefined;
    if (!found?.transferId) return false;
    const intent = await prisma().transferIntent.findUnique({ where: { id: found.transferId } });
    return intent ? transaction((tx) => recordTransfer(tx, ctx, intent.settlementId, found)) : false;
  },
};

/** A payout from a connected account to its bank was made, arrived, or failed. */
const payout: Kind = {
  types: /^payout\./,
  async read(ctx, { account, objectId, receivedAt, attempts }) {
    if (!account || !objectId) return false;
    return readPayout(ctx, account, objectId, attempts === 0 ? receivedAt : undefined);
  },
};

/** Anything about a connected account, in either version of Stripe's API: the whole account is read again. */
const account: Kind = {
  types: /^(account|capability|person|v2\.core\.account(_\w+)?)(\[|\.)/,
  async read(ctx, { account, objectId }) {
    const ids = [account, objectId].flatMap((id) => id ?? []);
    const known = await prisma().paymentAccount.findFirst({ where: { stripeAccountId: { in: ids } } });
    if (!known) return false;
    await refreshAccount(ctx, known.identityId);
    return true;
  },
};

export const KINDS: readonly Kind[] = [checkoutSession, charge, transfer, payout, account];
