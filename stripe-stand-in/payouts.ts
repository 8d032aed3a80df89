import type Stripe from "stripe";
import { enter } from "./balance.ts";
import { endpoint } from "./endpoint.ts";
import { listEndpoint } from "./list.ts";
import { invalid } from "./refusal.ts";
import { unused } from "./shapes.ts";
import { type ConnectedAccount, find, type World } from "./world.ts";

type Payout = Stripe.Payout & { account: string };

/**
 * Pays a connected account's available balance out to its bank, as Stripe does every day. Of a manual payout Stripe does not say
 * what it consists of: it can be of any amount. It is pending until `payoutArrived`.
 */
export function startPayout(world: World, { id: account, payouts }: ConnectedAccount, manualPence?: number): string {
  if (payouts !== "active") throw invalid("payouts_not_allowed", "Payouts are not enabled for this account.");
  const covered = [...world.lines.values()].filter(
    (line) => line.account === account && line.payout === undefined && line.available_on <= world.now(),
  );
  const available = covered.reduce((sum, line) => sum + line.net, 0);
  const amount = manualPence ?? available;
  if (amount <= 0 || amount > available) throw invalid("balance_insufficient", "There is nothing to pay out.");
  const payout: Payout = {
    id: world.id("po"),
    object: "payout",
    amount,
    arrival_date: world.now() + 86_400,
    automatic: manualPence === undefined,
    balance_transaction: null,
    created: world.now(),
    currency: "gbp",
    description: "STRIPE PAYOUT",
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: world.livemode,
    metadata: {},
    method: "standard",
    reconciliation_status: manualPence === undefined ? "completed" : "not_applicable",
    source_type: "card",
    status: "in_transit",
    type: "bank_account",
    account,
    ...unused("application_fee", "application_fee_amount", "destination", "original_payout", "payout_method"),
    ...unused("reversed_by", "statement_descriptor", "trace_id"),
  };
  const line = enter(world, { account, type: "payout", amountPence: -amount, source: payout.id });
  payout.balance_transaction = line.id;
  for (const part of manualPence === undefined ? [...covered, line] : [line]) part.payout = payout.id;
  world.payouts.set(payout.id, payout);
  tell(world, "payout.created", payout);
  return payout.id;
}

export function payoutArrived(world: World, payout: Payout): void {
  if (payout.status !== "in_transit") throw invalid("resource_invalid_state", `This payout is ${payout.status}.`);
  payout.status = "paid";
  tell(world, "payout.paid", payout);
}

/** The bank returns the money; that can happen up to five business days after `paid`. */
export function payoutFailed(world: World, payout: Payout): void {
  if (payout.status === "failed") throw invalid("resource_invalid_state", "This payout is failed.");
  payout.status = "failed";
  payout.failure_code = "account_closed";
  payout.failure_message = "The bank account has been closed.";
  payout.failure_balance_transaction = enter(world, {
    account: payout.account,
    type: "payout_failure",
    amountPence: payout.amount,
    source: payout.id,
  }).id;
  tell(world, "payout.failed", payout);
}

function tell(world: World, type: "payout.created" | "payout.paid" | "payout.failed", payout: Payout): void {
  world.emit(type, shown(payout), payout.account);
}

function shown({ account: _account, ...payout }: Payout): Stripe.Payout {
  return payout;
}

export const payoutEndpoints = [
  listEndpoint<Stripe.PayoutListParams, Payout>(
    "/v1/payouts",
    ({ world, account }) => [...world.payouts.values()].filter((payout) => payout.account === account),
    shown,
  ),
  endpoint("GET", "/v1/payouts/:id", ({ world, id, account }) => {
    const payout = find(world.payouts, "payout", id);
    if (payout.account !== account) throw invalid("resource_missing", `No such payout: '${id}'`);
    return shown(payout);
  }),
];
