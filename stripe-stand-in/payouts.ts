import type Stripe from "stripe";
import { enter } from "./balance.ts";
import { endpoint } from "./endpoint.ts";
import { inRange, page } from "./list.ts";
import { invalid } from "./refusal.ts";
import { find, type World } from "./world.ts";

type Payout = Stripe.Payout & { account: string };

/**
 * Pays a connected account's available balance out to its bank, as Stripe does every day. Of a manual payout Stripe does not say
 * what it consists of: it can be of any amount.
 */
export function startPayout(world: World, account: string, manualPence?: number): Payout {
  const { payouts } = find(world.accounts, "account", account);
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
    application_fee: null,
    application_fee_amount: null,
    arrival_date: world.now() + 86_400,
    automatic: manualPence === undefined,
    balance_transaction: null,
    created: world.now(),
    currency: "gbp",
    description: "STRIPE PAYOUT",
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: world.livemode,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: manualPence === undefined ? "completed" : "not_applicable",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: "in_transit",
    trace_id: null,
    type: "bank_account",
    account,
  };
  const line = enter(world, { account, type: "payout", amountPence: -amount, source: payout.id });
  payout.balance_transaction = line.id;
  for (const part of manualPence === undefined ? [...covered, line] : [line]) part.payout = payout.id;
  world.payouts.set(payout.id, payout);
  tell(world, "payout.created", payout);
  return payout;
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
  endpoint<Stripe.PayoutListParams>(
    "GET",
    "/v1/payouts",
    {
      arrival_date: "range",
      created: "range",
      ending_before: "text",
      expand: "texts",
      limit: "integer",
      starting_after: "text",
      status: "text",
    },
    [],
    ({ world, account }, params) =>
      page(
        "/v1/payouts",
        [...world.payouts.values()]
          .filter(
            (payout) =>
              payout.account === account &&
              inRange(payout.created, params.created) &&
              inRange(payout.arrival_date, params.arrival_date) &&
              (params.status ?? payout.status) === payout.status,
          )
          .map(shown),
        params,
      ),
  ),
  endpoint<Stripe.PayoutRetrieveParams>("GET", "/v1/payouts/:id", { expand: "texts" }, [], ({ world, id, account }) => {
    const payout = find(world.payouts, "payout", id);
    if (payout.account !== account) throw invalid("resource_missing", `No such payout: '${id}'`);
    return shown(payout);
  }),
];
