import { Refusal } from "./refusal.ts";

// What a restricted key may do: for each resource nothing, reading, or writing too, separately for the platform's own objects and
// for those of its connected accounts.

const RESOURCES = {
  "/v1/checkout/sessions": "Checkout Sessions",
  "/v1/payment_intents": "PaymentIntents",
  "/v1/charges": "Charges",
  "/v1/refunds": "Refunds",
  "/v1/disputes": "Disputes",
  "/v1/radar/early_fraud_warnings": "Early fraud warnings",
  "/v1/reviews": "Reviews",
  "/v1/transfers": "Transfers",
  "/v1/balance_transactions": "Balance transactions",
  "/v1/balance_settings": "Balance settings",
  "/v1/balance": "Balance",
  "/v1/payouts": "Payouts",
  "/v1/events": "Events",
  "/v1/account": "Accounts v1",
  "/v2/core/event_destinations": "Event destinations",
  "/v2/core/account_links": "Account links v2",
  "/v2/core/accounts": "Accounts v2",
} as const;

type Resource = (typeof RESOURCES)[keyof typeof RESOURCES] | "Login links";
type Whose = "platform" | "connected";

/** The rights that a restricted key lacks. A secret key lacks none. */
export class Rights {
  readonly #limits = new Map<string, "none" | "read">();

  /** Leaves the key only this much of a resource. */
  limit(resource: Resource, to: "none" | "read", whose: Whose = "platform"): void {
    this.#limits.set(`${whose} ${resource}`, to);
  }

  /** The key may do everything again. */
  restore(): void {
    this.#limits.clear();
  }

  /** @throws Refusal 403 */
  check(method: string, path: string, connectedAccount: string | undefined): void {
    const resource = resourceOf(path);
    const limit = this.#limits.get(`${connectedAccount ? "connected" : "platform"} ${resource}`);
    if (limit === undefined || (limit === "read" && method === "GET")) return;
    const message = `The provided key does not have the required permissions for this endpoint (${resource}).`;
    throw new Refusal(403, { code: "more_permissions_required", message });
  }
}

function resourceOf(path: string): Resource | undefined {
  if (path.endsWith("/login_links")) return "Login links";
  for (const [prefix, resource] of Object.entries(RESOURCES)) if (path.startsWith(prefix)) return resource;
  return undefined;
}
