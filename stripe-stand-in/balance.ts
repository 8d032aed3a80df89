import type Stripe from "stripe";
import { endpoint } from "./endpoint.ts";
import { listEndpoint } from "./list.ts";
import { invalid } from "./refusal.ts";
import { find, type Line, type World } from "./world.ts";

type Entry = {
  /** Undefined for the platform's own balance. */
  account?: string | undefined;
  type: Stripe.BalanceTransaction.Type;
  amountPence: number;
  feePence?: number;
  /** Unix seconds; default now. */
  availableOn?: number | undefined;
  source: string | null;
};

/** Adds a line to an account's balance. Every movement of money goes through here. */
export function enter(world: World, entry: Entry): Line {
  const fee = entry.feePence ?? 0;
  const line: Line = {
    id: world.id("txn"),
    object: "balance_transaction",
    amount: entry.amountPence,
    available_on: entry.availableOn ?? world.now(),
    balance_type: "payments",
    created: world.now(),
    currency: "gbp",
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee
      ? [{ amount: fee, application: null, currency: "gbp", description: "Stripe processing fees", type: "stripe_fee" }]
      : [],
    net: entry.amountPence - fee,
    reporting_category: entry.type,
    source: entry.source,
    status: "pending",
    type: entry.type,
    account: entry.account,
    payout: undefined,
  };
  world.lines.set(line.id, line);
  return line;
}

/** An account's balance in pence. */
export function balanceOf(world: World, account?: string): { available: number; pending: number } {
  const sum = { available: 0, pending: 0 };
  // Other balances, such as reserves for risk, are not shown.
  for (const line of world.lines.values())
    if (line.account === account && line.balance_type === "payments")
      sum[line.available_on <= world.now() ? "available" : "pending"] += line.net;
  return sum;
}

function shown({ account: _account, payout: _payout, ...line }: Line, world: World): Stripe.BalanceTransaction {
  return { ...line, status: line.available_on <= world.now() ? "available" : "pending" };
}

export const balanceEndpoints = [
  endpoint("GET", "/v1/balance", ({ world, account }) => {
    const { available, pending } = balanceOf(world, account);
    const money = (amount: number) => [{ amount, currency: "gbp", source_types: { card: amount } }];
    return {
      object: "balance",
      available: money(available),
      // Only a platform may have to keep money back for its connected accounts.
      ...(account === undefined ? { connect_reserved: [{ amount: 0, currency: "gbp" }] } : {}),
      livemode: world.livemode,
      pending: money(pending),
    } satisfies Stripe.Balance;
  }),
  listEndpoint<Stripe.BalanceTransactionListParams, Line>(
    "/v1/balance_transactions",
    ({ world, account }, { payout }) => {
      if (payout && !find(world.payouts, "payout", payout).automatic)
        throw invalid(
          "parameter_invalid",
          "Balance transaction history can only be filtered on automatic transfers, not manual.",
          "payout",
        );
      return [...world.lines.values()].filter((line) => line.account === account);
    },
    shown,
  ),
];
