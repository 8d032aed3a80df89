import type Stripe from "stripe";
import { type LiveGateway, ProcessorError, type SentTransfer } from "../port.ts";
import { find, keyOf, send } from "./call.ts";
import { toReversal, toTransfer } from "./views.ts";

type Transfers = Pick<LiveGateway, "sendTransfer" | "reverseTransfer" | "readTransfer" | "listTransfers">;

/** Transfers from the platform to connected accounts, each drawn on the charge of its own settlement while that can be. */
export function transfers(stripe: Stripe): Transfers {
  /** A transfer itself lists only its newest ten reversals. */
  const withReversals = async (transfer: Stripe.Transfer): Promise<SentTransfer> => {
    const view = toTransfer(transfer);
    if (!transfer.reversals.has_more) return view;
    const all = await stripe.transfers.listReversals(transfer.id, { limit: 100 }).autoPagingToArray({ limit: 1_000 });
    return { ...view, reversals: all.map(toReversal) };
  };

  return {
    sendTransfer: async (order) => {
      if (!order.accountId)
        throw new ProcessorError("refused", "incomplete", "A transfer needs the account that it goes to.");
      const transfer = await send(
        stripe.transfers.create(
          {
            amount: order.amountPence,
            currency: "gbp",
            destination: order.accountId,
            ...(order.chargeId ? { source_transaction: order.chargeId } : {}),
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

    reverseTransfer: async ({ actId, attempt, settlementId, stripeTransferId, amountPence }) => {
      const metadata = { guildhall_act: actId, guildhall_settlement: settlementId };
      await send(
        stripe.transfers.createReversal(
          stripeTransferId,
          { amount: amountPence, metadata },
          { idempotencyKey: keyOf(actId, attempt) },
        ),
      );
    },

    readTransfer: async (id) => {
      const transfer = await find(stripe.transfers.retrieve(id));
      return transfer && send(withReversals(transfer));
    },

    listTransfers: async (settlementId) => {
      const list = stripe.transfers.list({ transfer_group: settlementId, limit: 100 });
      const found = await send(list.autoPagingToArray({ limit: 1_000 }));
      return send(Promise.all(found.map(withReversals)));
    },
  };
}
