import type { World } from "./world.ts";

/** One call: `id` comes from the path, `account` from the `Stripe-Account` header. */
export type Call = { world: World; id: string; account: string | undefined };

export type Endpoint = {
  method: "GET" | "POST";
  path: RegExp;
  /** @throws Refusal */
  run(call: Call, params: object): object;
};

/**
 * Defines an endpoint; `P` is the stripe package's own type of its parameters, which are read by Stripe's definitions.
 * @param path `:id` stands for one segment
 */
export function endpoint<P>(method: "GET" | "POST", path: string, run: (call: Call, params: P) => object): Endpoint {
  const pattern = path.replace(":id", "(?<id>[^/]+)");
  return { method, path: new RegExp(`^${pattern}$`), run: (call, params) => run(call, params as P) };
}
