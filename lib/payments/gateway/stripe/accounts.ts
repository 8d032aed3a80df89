import type Stripe from "stripe";
import { type LiveGateway, ProcessorError } from "../port.ts";
import { find, keyOf, send } from "./call.ts";
import { toAccountV1, toAccountV2 } from "./views.ts";

type Accounts = Pick<
  LiveGateway,
  "openAccount" | "findAccount" | "readAccount" | "onboardingUrl" | "dashboardUrl" | "setPayoutDelay"
>;

const INCLUDE: ["configuration.recipient", "requirements"] = ["configuration.recipient", "requirements"];

/** Connected accounts, which receive transfers. Accounts made with version 1 of Stripe's API are read with version 1. */
export function accounts(stripe: Stripe, baseUrl: string): Accounts {
  const { accounts: v2, accountLinks } = stripe.v2.core;
  const readV2 = (accountId: string) => v2.retrieve(accountId, { include: INCLUDE });

  return {
    openAccount: async (order) =>
      toAccountV2(
        await send(
          v2.create(
            {
              display_name: order.name,
              ...(order.contactEmail ? { contact_email: order.contactEmail } : {}),
              dashboard: "express",
              identity: { country: "gb" },
              defaults: {
                currency: "gbp",
                responsibilities: { fees_collector: "application", losses_collector: "application" },
              },
              configuration: {
                recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
              },
              metadata: { guildhall_public_id: order.publicId, guildhall_account: order.accountRowId },
              include: INCLUDE,
            },
            { idempotencyKey: keyOf(order.accountRowId, order.attempt) },
          ),
        ),
      ),

    findAccount: (order) =>
      send(
        (async () => {
          // Unless it is asked for closed accounts, Stripe lists only the others. One that is open counts first.
          for (const closed of [false, true])
            for await (const account of v2.list({ closed, limit: 100 }))
              if (account.metadata?.guildhall_account === order.accountRowId)
                return toAccountV2(await readV2(account.id));
          return undefined;
        })(),
      ),

    readAccount: async (accountId, apiVersion) => {
      if (apiVersion === 2) {
        const account = await find(readV2(accountId)).catch((error: unknown) => {
          // An account of version 1 can only be read with version 1.
          if (error instanceof ProcessorError && error.code === "v1_account_instead_of_v2_account") return undefined;
          throw error;
        });
        if (account) return toAccountV2(account);
      }
      const account = await find(stripe.accounts.retrieve(accountId));
      return account && toAccountV1(account);
    },

    onboardingUrl: async (accountId, key) => {
      const link = await send(
        accountLinks.create(
          {
            account: accountId,
            use_case: {
              type: "account_onboarding",
              account_onboarding: {
                // All at once: a provider that is asked again in the middle of paid work cannot be paid until it has answered.
                collection_options: { fields: "eventually_due", future_requirements: "include" },
                refresh_url: `${baseUrl}/payments/return?onboarding=again`,
                return_url: `${baseUrl}/payments/return?onboarding=done`,
              },
            },
          },
          { idempotencyKey: key },
        ),
      );
      return link.url;
    },

    setPayoutDelay: async (stripeAccount, days) => {
      const settlement_timing = { delay_days_override: days === 0 ? ("" as const) : days };
      await send(stripe.balanceSettings.update({ payments: { settlement_timing } }, { stripeAccount }));
    },

    // Version 2 has no such link of its own. This one works for accounts of both versions that use the Express dashboard.
    dashboardUrl: async (accountId) => (await send(stripe.accounts.createLoginLink(accountId))).url,
  };
}
