import type Stripe from "stripe";
import type { Observed } from "./kinds.ts";

/** What the platform has, and its movements. */
export const BALANCE = {
  balance: {
    available: "list",
    connect_reserved: "list?",
    livemode: "flag",
    object: "text",
    pending: "list",
  } satisfies Observed<Stripe.Balance>,
  balance_settings: {
    object: "text",
    payments: "object",
  } satisfies Observed<Stripe.BalanceSettings>,
  "balance_settings.payments": {
    debit_negative_balances: "flag?",
    payouts: "object?",
    settlement_timing: "object",
  } satisfies Observed<Stripe.BalanceSettings.Payments>,
  "balance_settings.payments.payouts": {
    automatic_transfer_rules_by_currency: "object?",
    minimum_balance_by_currency: "object?",
    schedule: "object?",
    statement_descriptor: "text?",
    status: "text",
  } satisfies Observed<Stripe.BalanceSettings.Payments.Payouts>,
  balance_transaction: {
    amount: "integer",
    available_on: "integer",
    balance_type: "text",
    created: "integer",
    currency: "text",
    description: "text?",
    exchange_rate: "integer?",
    fee: "integer",
    fee_details: "list",
    id: "text",
    net: "integer",
    object: "text",
    reporting_category: "text",
    source: "text?",
    status: "text",
    type: "text",
  } satisfies Observed<Stripe.BalanceTransaction>,
} as const;
