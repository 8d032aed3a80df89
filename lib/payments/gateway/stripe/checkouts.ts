import { randomUUID } from "node:crypto";
import type Stripe from "stripe";
import { type Checkout, type LiveGateway, ProcessorError } from "../port.ts";
import { find, keyOf, send, since } from "./call.ts";
import { toCheckout } from "./views.ts";

type Checkouts = Pick<
  LiveGateway,
  "openCheckout" | "readCheckout" | "findCheckouts" | "listOpenCheckouts" | "closeCheckout"
>;

/** Checkout sessions on the platform's own account: card payments only, with one line item. */
export function checkouts({ checkout: { sessions } }: Stripe, baseUrl: string): Checkouts {
  const readCheckout: Checkouts["readCheckout"] = async (sessionId) => {
    const session = await find(sessions.retrieve(sessionId));
    return session && toCheckout(session);
  };

  /** Oldest first. */
  const list = (params: Stripe.Checkout.SessionListParams): Promise<Checkout[]> =>
    send(
      (async () => {
        const found: Checkout[] = [];
        for await (const session of sessions.list({ ...params, limit: 100 })) found.unshift(toCheckout(session));
        return found;
      })(),
    );

  return {
    openCheckout: async (order) => {
      const metadata = {
        guildhall_payment: order.paymentId,
        guildhall_contract: order.contractId,
        guildhall_task: order.taskId,
        guildhall_settlement: order.settlementId,
        guildhall_provider: order.providerId,
        guildhall_terms: order.termsHash,
      };
      const back = `${baseUrl}/payments/return?payment=${order.paymentId}`;
      const session = await send(
        sessions.create(
          {
            mode: "payment",
            client_reference_id: order.paymentId,
            allowed_payment_method_types: ["card"],
            // Inside a card checkout, Link would also take payments from bank accounts.
            wallet_options: { link: { display: "never" } },
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

    readCheckout,

    findCheckouts: async (paymentId, from) =>
      (await list({ created: since(from) })).filter((checkout) => checkout.paymentId === paymentId),

    listOpenCheckouts: (from) => list({ created: since(from), status: "open" }),

    closeCheckout: async (sessionId, paymentId) => {
      // Expiring twice has no further effect, so every call has a key of its own: Stripe would repeat a failure to an earlier one.
      const idempotencyKey = `${paymentId}-close-${randomUUID()}`;
      try {
        return toCheckout(await send(sessions.expire(sessionId, {}, { idempotencyKey })));
      } catch (error) {
        // Already paid or expired: return it as it is.
        if (!(error instanceof ProcessorError && error.kind === "refused")) throw error;
        return readCheckout(sessionId);
      }
    },
  };
}
