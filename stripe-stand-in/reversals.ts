import type Stripe from "stripe";
import { balanceOf, enter } from "./balance.ts";
import { endpoint } from "./endpoint.ts";
import { listEndpoint } from "./list.ts";
import { invalid } from "./refusal.ts";
import { asMetadata } from "./shapes.ts";
import { find, type World } from "./world.ts";

/**
 * Reverses a transfer, wholly or in part. `forced` allows a negative balance of the connected account, as Stripe does.
 * @throws Refusal 400 if the amount exceeds the rest of the transfer, or the account's balance
 */
function reverseTransfer(
  world: World,
  transfer: Stripe.Transfer,
  amountPence = transfer.amount - transfer.amount_reversed,
  { metadata = {}, forced = false }: { metadata?: Record<string, string>; forced?: boolean } = {},
): Stripe.TransferReversal {
  const destination = String(transfer.destination);
  if (amountPence < 1 || amountPence > transfer.amount - transfer.amount_reversed)
    throw invalid("transfer_reversal_amount", "The reversal is greater than what is left of the transfer.", "amount");
  const { available, pending } = balanceOf(world, destination);
  if (!forced && available + pending < amountPence)
    throw invalid("balance_insufficient", "The destination account has insufficient funds for this reversal.");
  const id = world.id("trr");
  const pendingUntil = world.lines.get(String(transfer.balance_transaction))?.available_on ?? world.now();
  const availableOn = Math.max(pendingUntil, world.now());
  const line = enter(world, { type: "transfer_refund", amountPence, availableOn, source: id });
  enter(world, {
    account: destination,
    type: "payment_refund",
    amountPence: -amountPence,
    availableOn,
    source: String(transfer.destination_payment),
  });
  const reversal: Stripe.TransferReversal = {
    id,
    object: "transfer_reversal",
    amount: amountPence,
    balance_transaction: line.id,
    created: world.now(),
    currency: "gbp",
    destination_payment_refund: null,
    metadata,
    source_refund: null,
    transfer: transfer.id,
  };
  transfer.reversals.data.unshift(reversal);
  transfer.amount_reversed += amountPence;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  world.emit("transfer.reversed", transfer);
  return reversal;
}

/** The operator reverses a transfer, even if the account's balance becomes negative. */
export const reverseInDashboard = (world: World, transfer: Stripe.Transfer, amountPence?: number) =>
  reverseTransfer(world, transfer, amountPence, { forced: true });

export const reversalEndpoints = [
  endpoint<Stripe.TransferCreateReversalParams>("POST", "/v1/transfers/:id/reversals", ({ world, id }, params) =>
    reverseTransfer(world, find(world.transfers, "transfer", id), params.amount, {
      metadata: asMetadata(params.metadata),
    }),
  ),
  listEndpoint<Stripe.TransferListReversalsParams, Stripe.TransferReversal>(
    "/v1/transfers/:id/reversals",
    ({ world, id }) => find(world.transfers, "transfer", id).reversals.data.toReversed(),
  ),
];
