import type { RawFields } from "./form.ts";
import { type Names, readParameters } from "./names.ts";
import type { World } from "./world.ts";

/** One call: `id` comes from the path, `account` from the `Stripe-Account` header. */
export type Call = { world: World; id: string; account: string | undefined };

export type Endpoint = {
  method: "GET" | "POST";
  path: RegExp;
  /** Reads the parameters. @returns the function that carries out the call @throws Refusal */
  prepare(call: Call, raw: RawFields): () => object;
};

/**
 * Defines an endpoint; `P` is the stripe package's own type of its parameters.
 * @param path `:id` stands for one segment
 */
export function endpoint<P>(
  method: "GET" | "POST",
  path: string,
  names: Names<P>,
  run: (call: Call, params: P) => object,
): Endpoint {
  const pattern = path.replace(":id", "(?<id>[^/]+)");
  return {
    method,
    path: new RegExp(`^${pattern}$`),
    prepare(call, raw) {
      const params = readParameters(names, raw);
      return () => run(call, params);
    },
  };
}
