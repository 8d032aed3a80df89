import type Stripe from "stripe";
import { endpoint } from "./endpoint.ts";
import { listEndpoint, readEndpoint } from "./list.ts";
import { type Card, decline, succeed } from "./payments.ts";
import { invalid } from "./refusal.ts";
import { blankIntent, blankSession } from "./shapes.ts";
import { find, type World } from "./world.ts";

type CreateParams = Stripe.Checkout.SessionCreateParams;

/** Order lines and payment data of the unpaid sessions. */
const dataOf = new WeakMap<Stripe.Checkout.Session, NonNullable<CreateParams["payment_intent_data"]>>();

function create(world: World, params: CreateParams): Stripe.Checkout.Session {
  if (params.mode !== "payment")
    throw invalid("stand_in_unmodelled", "The stand-in imitates mode=payment only.", "mode");
  if (!params.success_url) throw invalid("parameter_missing", "Missing required param: success_url.", "success_url");
  const inSeconds = (params.expires_at ?? world.now() + 3600) - world.now();
  if (inSeconds < 30 * 60 - 5 || inSeconds > 24 * 3600 + 5)
    throw invalid("parameter_invalid", "`expires_at` must be 30 minutes to 24 hours from creation.", "expires_at");
  const types = world.options.enabledMethods.filter((type) =>
    (params.allowed_payment_method_types ?? [type]).includes(type),
  );
  if (types.length === 0)
    throw invalid("parameter_invalid", "No valid payment method types for this Checkout Session.");
  const session = blankSession(world, world.id(world.livemode ? "cs_live" : "cs_test"), totalOf(params), types, params);
  world.sessions.set(session.id, session);
  dataOf.set(session, params.payment_intent_data ?? {});
  return session;
}

function totalOf({ line_items: lines = [] }: CreateParams): number {
  if (lines.length === 0) throw invalid("parameter_missing", "Missing required param: line_items.", "line_items");
  const total = lines.reduce((sum, { price_data: price, quantity = 0 }) => {
    if (price?.unit_amount === undefined || quantity < 1 || !price.product_data?.name)
      throw invalid("parameter_missing", "A line needs price_data with unit_amount and product_data, and a quantity.");
    if (price.currency !== "gbp") throw invalid("stand_in_unmodelled", "The stand-in imitates gbp only.", "currency");
    return sum + price.unit_amount * quantity;
  }, 0);
  if (total < 30) throw invalid("amount_too_small", "The Checkout Session's total must convert to at least 30 pence.");
  if (total > 99_999_999) throw invalid("amount_too_large", "Amount must be no more than £999,999.99.");
  return total;
}

/** Closes an open session for good. @throws Refusal 400 for one that is paid or expired */
export function expireSession(world: World, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.status !== "open")
    throw invalid(
      "resource_invalid_state",
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
    );
  session.status = "expired";
  session.url = null;
  const intent = typeof session.payment_intent === "string" ? world.intents.get(session.payment_intent) : undefined;
  if (intent) {
    intent.status = "canceled";
    intent.canceled_at = world.now();
    intent.cancellation_reason = "expired";
    world.emit("payment_intent.canceled", intent);
  }
  world.emit("checkout.session.expired", session);
  return session;
}

/** Closes every session that has expired. */
export function expireOverdue(world: World): void {
  for (const session of world.sessions.values())
    if (session.status === "open" && session.expires_at <= world.now()) expireSession(world, session);
}

/** Pays on the hosted page with the customer's card. A declined card leaves the session open for another try. */
export function payWithCard(
  world: World,
  session: Stripe.Checkout.Session,
  outcome: "succeed" | "decline" = "succeed",
  card: Partial<Card> = {},
): void {
  if (session.status !== "open") throw invalid("resource_invalid_state", `This session is ${session.status}.`);
  const known = typeof session.payment_intent === "string" ? world.intents.get(session.payment_intent) : undefined;
  const data = dataOf.get(session) ?? {};
  const intent = known ?? blankIntent(world, session.amount_total ?? 0, data);
  if (!known) {
    world.intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    world.emit("payment_intent.created", intent);
  }
  if (outcome === "decline") {
    decline(world, intent, card);
    return;
  }
  succeed(world, intent, card);
  session.status = "complete";
  session.payment_status = "paid";
  session.url = null;
  world.emit("checkout.session.completed", session);
}

/**
 * Plays a customer who pays through Link: with a bank account, which Stripe shows as a card of the brand `link`, or with a card from
 * Link's wallet. @throws Refusal where the session does not show Link
 */
export function payThroughLink(world: World, session: Stripe.Checkout.Session, source: "bank" | "card" = "bank"): void {
  if (session.wallet_options?.link?.display === "never" || !session.payment_method_types.includes("card"))
    throw invalid("resource_invalid_state", "This session does not show Link.");
  const wallet = { type: "link" as const, link: { funding_source_group: "card" }, dynamic_last4: null };
  payWithCard(world, session, "succeed", source === "bank" ? { brand: "link" } : { wallet });
}

export const sessionEndpoints = [
  endpoint<CreateParams>("POST", "/v1/checkout/sessions", ({ world }, params) => create(world, params)),
  listEndpoint<Stripe.Checkout.SessionListParams, Stripe.Checkout.Session>("/v1/checkout/sessions", ({ world }) =>
    world.sessions.values(),
  ),
  readEndpoint("/v1/checkout/sessions", "checkout.session", ({ sessions }) => sessions),
  endpoint("POST", "/v1/checkout/sessions/:id/expire", ({ world, id }) =>
    expireSession(world, find(world.sessions, "checkout.session", id)),
  ),
];
