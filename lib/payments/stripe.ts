import Stripe from "stripe";
import type { StripeEnv } from "#lib/kernel/stripe-env.ts";
import { type Charge, type LiveGateway, type Loss, ProcessorError, type SentTransfer } from "./port.ts";
import { ifThere, told } from "./stripe-errors.ts";
import {
  disputeLoss,
  idOf,
  refundLoss,
  toAccountV1,
  toAccountV2,
  toCharge,
  toCheckout,
  toPayout,
  toTransfer,
} from "./stripe-views.ts";

/** The interface version that this code was written against; the stripe package's own types are those of this one. */
export const STRIPE_API_VERSION = "2026-10-28.endive";

const TIMEOUT_MS = 10_000;
/** Stripe's clock and ours need not agree to the second. */
const CLOCK_SLACK_SECONDS = 300;
const INCLUDE: ["configuration.recipient", "requirements"] = ["configuration.recipient", "requirements"];

/** The key of an attempt at Stripe: the intent row's own ID, so that whoever repeats the attempt repeats the key. */
const keyOf = (id: string, attempt: number) => (attempt === 1 ? id : `${id}-${attempt}`);
const since = (date: Date) => ({ gte: Math.floor(date.getTime() / 1000) - CLOCK_SLACK_SECONDS });

/** LIVE's gateway. Every call has a deadline and is sent once: what to do with a failure is decided by who knows the intent. */
export function stripeGateway(config: StripeEnv, baseUrl: string): LiveGateway {
  const stripe = new Stripe(config.secretKey, {
    apiVersion: STRIPE_API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    ...config.apiBase,
  });

  const lossesOf = async (charge: Stripe.Charge): Promise<Loss[]> => {
    const refunds =
      charge.amount_refunded > 0 || charge.refunded
        ? stripe.refunds.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 1_000 })
        : [];
    const disputes = charge.disputed
      ? stripe.disputes.list({ charge: charge.id, limit: 100 }).autoPagingToArray({ limit: 100 })
      : [];
    return [...(await refunds).map(refundLoss), ...(await disputes).map(disputeLoss)];
  };

  const readCharge = async (intentId: string): Promise<Charge | undefined> => {
    const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ["latest_charge"] });
    const charge = intent.latest_charge;
    if (!charge || typeof charge === "string") return undefined;
    return { ...toCharge(charge, await lossesOf(charge)), intentId };
  };

  /** With every reversal: the transfer itself carries the newest ten. */
  const whole = async (transfer: Stripe.Transfer): Promise<SentTransfer> => {
    const view = toTransfer(transfer);
    if (!transfer.reversals.has_more) return view;
    const all = await stripe.transfers.listReversals(transfer.id, { limit: 100 }).autoPagingToArray({ limit: 1_000 });
    return { ...view, reversals: all.map(({ id, amount }) => ({ id, amountPence: amount })) };
  };

  const intentOf = async (objectId: string): Promise<string | undefined> => {
    const found = await (/^(re|pyr)_/.test(objectId)
      ? ifThere(stripe.refunds.retrieve(objectId))
      : /^(ch|py)_/.test(objectId)
        ? ifThere(stripe.charges.retrieve(objectId))
        : ifThere(stripe.disputes.retrieve(objectId)));
    return idOf(found?.payment_intent) ?? undefined;
  };

  const readV2 = (accountId: string) => stripe.v2.core.accounts.retrieve(accountId, { include: INCLUDE });

  return {
    mode: "LIVE",

    openCheckout: async (order) => {
      const metadata = {
        guildhall_payment: order.paymentId,
        guildhall_contract: order.contractId,
        guildhall_task: order.taskId,
        guildhall_settlement: order.settlementId,
        guildhall_provider: order.providerId,
      };
      const back = `${baseUrl}/payments/return?payment=${order.paymentId}`;
      const session = await told(
        stripe.checkout.sessions.create(
          {
            mode: "payment",
            client_reference_id: order.paymentId,
            allowed_payment_method_types: ["card"],
            adaptive_pricing: { enabled: false },
            line_items: [
              {
                quantity: 1,
                price_data: { currency: "gbp", unit_amount: order.amountPence, product_data: { name: order.title } },
              },
            ],
            payment_intent_data: { metadata, transfer_group: order.settlementId },
            metadata,
            expires_at: Math.floor(order.expiresAt.getTime() / 1000),
            success_url: back,
            cancel_url: `${back}&left=1`,
          },
          { idempotencyKey: keyOf(order.paymentId, order.attempt) },
        ),
      );
      return toCheckout(session);
    },

    readCheckout: async (sessionId) => {
      const session = await ifThere(stripe.checkout.sessions.retrieve(sessionId));
      return session && toCheckout(session);
    },

    findCheckout: (paymentId, from) =>
      told(
        (async () => {
          for await (const session of stripe.checkout.sessions.list({ created: since(from), limit: 100 }))
            if (session.client_reference_id === paymentId) return toCheckout(session);
          return undefined;
        })(),
      ),

    closeCheckout: async (sessionId, paymentId) => {
      try {
        return toCheckout(
          await told(stripe.checkout.sessions.expire(sessionId, {}, { idempotencyKey: `${paymentId}-close` })),
        );
      } catch (error) {
        // Paid or expired already: what it is now decides.
        if (!(error instanceof ProcessorError && error.kind === "refused")) throw error;
        const session = await ifThere(stripe.checkout.sessions.retrieve(sessionId));
        return session && toCheckout(session);
      }
    },

    readCharge: (intentId) => ifThere(readCharge(intentId)),

    paymentOf: async (objectId) => {
      const intentId = objectId.startsWith("pi_") ? objectId : await intentOf(objectId);
      const intent = intentId ? await ifThere(stripe.paymentIntents.retrieve(intentId)) : undefined;
      return intent?.metadata.guildhall_payment;
    },

    sendTransfer: async (order) => {
      if (!order.accountId || !order.chargeId)
        throw new ProcessorError("refused", "incomplete", "A transfer needs the charge and the account it goes to.");
      const transfer = await told(
        stripe.transfers.create(
          {
            amount: order.amountPence,
            currency: "gbp",
            destination: order.accountId,
            source_transaction: order.chargeId,
            transfer_group: order.settlementId,
            metadata: {
              guildhall_transfer: order.transferId,
              guildhall_settlement: order.settlementId,
              guildhall_contract: order.contractId,
              guildhall_provider: order.providerId,
            },
          },
          { idempotencyKey: keyOf(order.transferId, order.attempt) },
        ),
      );
      return toTransfer(transfer);
    },

    readTransfer: async (id) => {
      const transfer = await ifThere(stripe.transfers.retrieve(id));
      return transfer && told(whole(transfer));
    },

    listTransfers: async (settlementId) => {
      const list = stripe.transfers.list({ transfer_group: settlementId, limit: 100 });
      const transfers = await told(list.autoPagingToArray({ limit: 1_000 }));
      return told(Promise.all(transfers.map(whole)));
    },

    openAccount: async (order) =>
      toAccountV2(
        await told(
          stripe.v2.core.accounts.create(
            {
              display_name: order.name,
              dashboard: "express",
              identity: { country: "gb" },
              defaults: {
                currency: "gbp",
                responsibilities: { fees_collector: "application", losses_collector: "application" },
              },
              configuration: {
                recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
              },
              metadata: { guildhall_public_id: order.publicId, guildhall_account: order.accountRowId },
              include: INCLUDE,
            },
            { idempotencyKey: keyOf(order.accountRowId, order.attempt) },
          ),
        ),
      ),

    findAccount: (order) =>
      told(
        (async () => {
          for await (const account of stripe.v2.core.accounts.list({ limit: 100 }))
            if (account.metadata?.guildhall_account === order.accountRowId)
              return toAccountV2(await readV2(account.id));
          return undefined;
        })(),
      ),

    readAccount: async (accountId, apiVersion) => {
      if (apiVersion === 2) {
        const account = await ifThere(readV2(accountId)).catch((error: unknown) => {
          // An account that was made in the first version answers there alone.
          if (error instanceof ProcessorError && error.kind === "refused" && /v1/.test(error.code)) return undefined;
          throw error;
        });
        if (account) return toAccountV2(account);
      }
      const account = await ifThere(stripe.accounts.retrieve(accountId));
      return account && toAccountV1(account);
    },

    onboardingUrl: async (accountId, key) => {
      const link = await told(
        stripe.v2.core.accountLinks.create(
          {
            account: accountId,
            use_case: {
              type: "account_onboarding",
              account_onboarding: {
                refresh_url: `${baseUrl}/payments/return?onboarding=again`,
                return_url: `${baseUrl}/payments/return?onboarding=done`,
              },
            },
          },
          { idempotencyKey: key },
        ),
      );
      return link.url;
    },

    readPayout: async (stripeAccount, payoutId) => {
      const payout = await ifThere(stripe.payouts.retrieve(payoutId, {}, { stripeAccount }));
      return payout && toPayout(payout);
    },

    readPayoutContents: async (stripeAccount, payout) => {
      const list = stripe.balanceTransactions.list({ payout, limit: 100 }, { stripeAccount });
      const lines = await told(list.autoPagingToArray({ limit: 10_000 }));
      const sourcesOf = (...types: string[]) =>
        lines.flatMap(({ type, source }) => (types.includes(type) ? (idOf(source) ?? []) : []));
      return {
        payments: sourcesOf("payment"),
        returnedPayouts: sourcesOf("payout_failure", "payout_cancel").filter((id) => id !== payout),
      };
    },

    listPayouts: async (stripeAccount, from) => {
      const list = stripe.payouts.list({ created: since(from), limit: 100 }, { stripeAccount });
      return (await told(list.autoPagingToArray({ limit: 1_000 }))).map(toPayout);
    },

    listEvents: async (from) => {
      const list = stripe.events.list({ created: since(from), limit: 100 });
      return (await told(list.autoPagingToArray({ limit: 10_000 }))).map((event) => ({
        id: event.id,
        type: event.type,
        livemode: event.livemode,
        objectId: (event.data.object as { id?: string }).id ?? null,
        createdAt: new Date(event.created * 1000),
      }));
    },
  };
}
