import type Stripe from "stripe";
import { balanceOf, enter } from "./balance.ts";
import { endpoint } from "./endpoint.ts";
import { listEndpoint, readEndpoint } from "./list.ts";
import { invalid } from "./refusal.ts";
import { asMetadata, blankCharge } from "./shapes.ts";
import type { World } from "./world.ts";

/**
 * Moves money from the platform to a connected account. With `source_transaction` it waits for that charge to settle. Once the
 * charge has settled, the available balance must cover the transfer.
 */
function create(world: World, params: Stripe.TransferCreateParams): Stripe.Transfer {
  const amount = params.amount ?? 0;
  if (amount < 1)
    throw invalid("parameter_invalid_integer", "This value must be greater than or equal to 1.", "amount");
  if (params.currency !== "gbp") throw invalid("stand_in_unmodelled", "The stand-in imitates gbp only.", "currency");
  const account = world.accounts.get(params.destination);
  if (!account) throw invalid("resource_missing", `No such destination: '${params.destination}'`, "destination");
  if (account.transfers !== "active")
    throw invalid(
      "insufficient_capabilities_for_transfer",
      "Your destination account needs to have at least one of the following capabilities enabled: transfers",
    );
  const availableOn = params.source_transaction
    ? fromCharge(world, params.source_transaction, amount)
    : fromBalance(world, amount);
  const transfer: Stripe.Transfer = {
    id: world.id("tr"),
    object: "transfer",
    amount,
    amount_reversed: 0,
    balance_transaction: null,
    created: world.now(),
    currency: "gbp",
    description: params.description ?? null,
    destination: account.id,
    livemode: world.livemode,
    metadata: asMetadata(params.metadata),
    reversals: { object: "list", data: [], has_more: false, url: "" },
    reversed: false,
    source_transaction: params.source_transaction ?? null,
    source_type: "card",
    transfer_group: params.transfer_group ?? groupOf(world, params.source_transaction),
  };
  transfer.reversals.url = `/v1/transfers/${transfer.id}/reversals`;
  const received = blankCharge(world, "py", amount);
  received.source_transfer = transfer.id;
  transfer.destination_payment = received.id;
  const sent = { amountPence: -amount, availableOn, source: transfer.id };
  transfer.balance_transaction = enter(world, { type: "transfer", ...sent }).id;
  const got = { account: account.id, amountPence: amount, availableOn, source: received.id };
  received.balance_transaction = enter(world, { type: "payment", ...got }).id;
  world.charges.set(received.id, received);
  world.transfers.set(transfer.id, transfer);
  world.emit("transfer.created", transfer);
  return transfer;
}

function fromBalance(world: World, amount: number): number {
  if (balanceOf(world).available < amount)
    throw invalid(
      "balance_insufficient",
      "You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance.",
    );
  return world.now();
}

function fromCharge(world: World, id: string, amount: number): number {
  const charge = world.charges.get(id);
  if (!charge) throw invalid("resource_missing", `No such charge: '${id}'`, "source_transaction");
  const line = world.lines.get(String(charge.balance_transaction));
  if (charge.status !== "succeeded" || !line)
    throw invalid(
      "resource_invalid_state",
      "A source_transaction must be a charge that succeeded.",
      "source_transaction",
    );
  let moved = 0;
  for (const transfer of world.transfers.values())
    if (transfer.source_transaction === id)
      moved += transfer.amount - (world.reversalFreesCharge ? transfer.amount_reversed : 0);
  if (moved + amount > charge.amount)
    throw invalid(
      "transfer_source_amount_exceeded",
      `Transfers using this transaction as a source must not exceed the source amount of ${charge.amount}.`,
    );
  return line.available_on > world.now() ? line.available_on : fromBalance(world, amount);
}

function groupOf(world: World, charge: string | undefined): string | null {
  return world.charges.get(charge ?? "")?.transfer_group ?? null;
}

export const transferEndpoints = [
  endpoint<Stripe.TransferCreateParams>("POST", "/v1/transfers", ({ world }, params) => create(world, params)),
  listEndpoint<Stripe.TransferListParams, Stripe.Transfer>("/v1/transfers", ({ world }) => world.transfers.values()),
  readEndpoint("/v1/transfers", "transfer", ({ transfers }) => transfers),
];
