import type { Gateway } from "./port.ts";

/**
 * TEST's gateway. It asks nobody and moves nothing: a checkout is open until its requester plays the outcome with
 * payments/confirm.php, and a transfer is simulated in the moment in which it is asked for.
 */
export const simulated: Gateway = {
  mode: "TEST",
  openCheckout: async (order) => ({
    sessionId: null,
    url: null,
    status: "open",
    amountPence: order.amountPence,
    currency: "gbp",
    cardOnly: true,
    paymentId: order.paymentId,
    intentId: null,
  }),
  sendTransfer: async (order) => ({
    stripeTransferId: null,
    transferId: order.transferId,
    amountPence: order.amountPence,
    currency: "gbp",
    accountId: null,
    destinationPayment: null,
    group: order.settlementId,
    reversals: [],
    simulated: true,
  }),
};
