import type Stripe from "stripe";
import type { LiveGateway } from "../port.ts";
import { send } from "./call.ts";
import { date, idOf } from "./views.ts";

/** The most balance transactions that are read at once: a hundred calls. */
const MOST = 10_000;

/** The platform's own balance. It is only read. */
export function balance(stripe: Stripe): Pick<LiveGateway, "readBalance" | "listBalance"> {
  return {
    readBalance: async () => {
      const { available, pending } = await send(stripe.balance.retrieve());
      const inPounds = (funds: { amount: number; currency: string }[]) =>
        funds.reduce((sum, { amount, currency }) => (currency === "gbp" ? sum + amount : sum), 0);
      return { availablePence: inPounds(available), pendingPence: inPounds(pending) };
    },

    listBalance: async (since, until) => {
      const created = { gte: Math.floor(since.getTime() / 1000), lt: Math.ceil(until.getTime() / 1000) };
      const list = stripe.balanceTransactions.list({ created, currency: "gbp", limit: 100 });
      const lines = await send(list.autoPagingToArray({ limit: MOST }));
      if (lines.length === MOST) return undefined;
      // Other balances, such as reserves for risk, are not in `available` and `pending`: what moves to them is a movement of this one too.
      const payments = lines.filter(({ balance_type: type }) => type === "payments");
      return payments.map((line) => ({
        id: line.id,
        type: line.type,
        source: idOf(line.source),
        amountPence: line.amount,
        feePence: line.fee,
        netPence: line.net,
        createdAt: date(line.created),
        availableAt: date(line.available_on),
      }));
    },
  };
}
