import type Stripe from "stripe";
import type { LiveGateway } from "../port.ts";
import { find, send, since } from "./call.ts";
import { idOf, toPayout } from "./views.ts";

type Payouts = Pick<LiveGateway, "readPayout" | "readPayoutContents" | "listPayouts">;

/** Payouts of connected accounts to their banks. They are only read, on the account itself. */
export function payouts(stripe: Stripe): Payouts {
  return {
    readPayout: async (stripeAccount, payoutId) => {
      const payout = await find(stripe.payouts.retrieve(payoutId, {}, { stripeAccount }));
      return payout && toPayout(payout);
    },

    readPayoutContents: async (stripeAccount, payout) => {
      const list = stripe.balanceTransactions.list({ payout, limit: 100 }, { stripeAccount });
      const lines = await send(list.autoPagingToArray({ limit: 10_000 }));
      const sourcesOf = (...types: string[]) =>
        lines.flatMap(({ type, source }) => (types.includes(type) ? (idOf(source) ?? []) : []));
      return {
        payments: sourcesOf("payment"),
        returnedPayouts: sourcesOf("payout_failure", "payout_cancel").filter((id) => id !== payout),
      };
    },

    listPayouts: async (stripeAccount, from) => {
      const list = stripe.payouts.list({ created: since(from), limit: 100 }, { stripeAccount });
      return (await send(list.autoPagingToArray({ limit: 1_000 }))).map(toPayout);
    },
  };
}
