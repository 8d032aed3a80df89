import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type Stripe from "stripe";
import { FIXTURE_FIELDS } from "./fixture-fields.ts";
import { FIXTURE_VALUES } from "./fixture-values.ts";
import { checkoutOf, paidCheckout, readyAccount } from "./samples.ts";
import { StripeStandIn } from "./stand-in.ts";

let standIn: StripeStandIn;
let stripe: Stripe;
before(async () => {
  standIn = await StripeStandIn.start({ settleSeconds: 0, platformPence: 10_000 });
  stripe = standIn.client();
});
after(() => standIn.close());

type Fields = Record<string, string>;
const TABLE: Record<string, Fields> = FIXTURE_FIELDS;
const VALUES: Record<string, Record<string, readonly string[]>> = FIXTURE_VALUES;
/** Parts of objects, by the path at which they are found. */
const PARTS = Object.keys(TABLE).flatMap((name) => {
  const whole = Object.keys(TABLE).find((other) => name.startsWith(`${other}.`));
  return whole ? [{ name, whole, path: name.slice(whole.length + 1).split(".") }] : [];
});

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return { string: "text", boolean: "flag", object: "object" }[typeof value as string] ?? typeof value;
}

/** What an answer has otherwise than the table; an ID in place of an object, or the object itself, is the caller's choice. */
function differences(name: string, given: object): string[] {
  const found = given as Record<string, unknown>;
  const expandable = (field: string, kind: string) =>
    kind === "object" && typeof found[field] === "object" && (found[field] as { id?: string }).id !== undefined;
  const kinds = Object.entries(TABLE[name] ?? {}).flatMap(([field, kind]) => {
    if (!(field in found)) return LEFT_OUT.has(`${name}.${field}`) ? [] : [`${name}.${field} is missing`];
    const actual = kindOf(found[field]);
    const fits =
      actual === kind.replace("?", "") || (actual === "null" && kind.endsWith("?")) || expandable(field, actual);
    return fits ? [] : [`${name}.${field} is ${actual}, not ${kind}`];
  });
  const values = Object.entries(VALUES[name] ?? {}).flatMap(([field, allowed]) => {
    const value = found[field];
    return value === null || value === undefined || allowed.includes(String(value))
      ? []
      : [`${name}.${field} is ${value}`];
  });
  return [...kinds, ...values];
}

/** Stripe shows these only on request (`expand`), which the stand-in does not imitate. */
const LEFT_OUT = new Set(["charge.refunds"]);

const seen = new Set<string>();

/** Compares every known object in an answer, at any depth. */
function compare(answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap(compare);
  if (answer === null || typeof answer !== "object") return [];
  const { object } = answer as { object?: string };
  const inside = Object.values(answer).flatMap(compare);
  if (!object || !TABLE[object]) return inside;
  seen.add(object);
  const parts = PARTS.filter(({ whole }) => whole === object).flatMap(({ name, path }) => {
    const part = path.reduce<unknown>((at, field) => (at as Record<string, unknown> | null)?.[field], answer);
    if (part === null || part === undefined) return [];
    seen.add(name);
    return differences(name, part);
  });
  return [...inside, ...differences(object, answer), ...parts];
}

test("every answer of the stand-in has the fields of Stripe's own fixtures, of the right kind", async () => {
  const open = await stripe.checkout.sessions.create(checkoutOf());
  const { session, intent, charge } = await paidCheckout(standIn, stripe);
  const disputed = await paidCheckout(standIn, stripe, 3_000, "set_2");
  const account = await readyAccount(standIn, stripe);
  const sent = await stripe.transfers.create({
    ...{ amount: 1_000, currency: "gbp", destination: account, source_transaction: charge, transfer_group: "set_1" },
  });
  const reversal = standIn.reverse(sent.id, 100);
  const refund = standIn.refund(intent, 200);
  const dispute = standIn.openDispute(disputed.intent);
  const payout = standIn.payout(account);
  standIn.failPayout(payout);
  const own = { stripeAccount: account };
  const answers: unknown[] = [
    open,
    await stripe.checkout.sessions.retrieve(session, { expand: ["payment_intent.latest_charge"] }),
    await stripe.checkout.sessions.list({ limit: 3 }),
    await stripe.paymentIntents.retrieve(intent, { expand: ["latest_charge.balance_transaction"] }),
    await stripe.charges.retrieve(charge),
    await stripe.charges.list({ transfer_group: "set_1" }),
    await stripe.refunds.retrieve(refund.id),
    await stripe.refunds.list({ payment_intent: intent }),
    await stripe.disputes.retrieve(dispute.id),
    await stripe.disputes.list({ payment_intent: disputed.intent }),
    sent,
    await stripe.transfers.retrieve(sent.id),
    await stripe.transfers.list({ transfer_group: "set_1" }),
    await stripe.transfers.listReversals(sent.id),
    reversal,
    await stripe.balance.retrieve(),
    await stripe.balanceTransactions.list({ limit: 50 }),
    await stripe.balanceSettings.retrieve(),
    await stripe.payouts.retrieve(payout, {}, own),
    await stripe.payouts.list({}, own),
    await stripe.accounts.retrieveCurrent(),
    await stripe.accounts.retrieve(standIn.createV1Account()),
    await stripe.accounts.createLoginLink(account),
    await stripe.events.list({ limit: 20 }),
  ];
  assert.deepEqual([...new Set(answers.flatMap(compare))].sort(), []);
  assert.deepEqual([...seen].sort(), Object.keys(TABLE).sort(), "an object of the table was never answered");
});
