import type { RawFields } from "./form.ts";
import { type Names, readParameters } from "./names.ts";
import { invalid } from "./refusal.ts";
import type { World } from "./world.ts";

/** One call: `id` and `part` come from the path, `account` from the `Stripe-Account` header. */
export type Call = { world: World; id: string; part: string; account: string | undefined };

export type Endpoint = {
  method: "GET" | "POST";
  path: RegExp;
  /** Reads the parameters. @returns the function that carries out the call @throws Refusal */
  prepare(call: Call, raw: RawFields): () => object;
};

/**
 * Defines an endpoint; `P` is the stripe package's own type of its parameters.
 * @param path `:id` and `:part` stand for one segment each
 */
export function endpoint<P>(
  method: "GET" | "POST",
  path: string,
  names: Names<P>,
  required: readonly (keyof P & string)[],
  run: (call: Call, params: P) => object,
): Endpoint {
  const pattern = path.replace(":id", "(?<id>[^/]+)").replace(":part", "(?<part>[^/]+)");
  return {
    method,
    path: new RegExp(`^${pattern}$`),
    prepare(call, raw) {
      for (const name of required)
        if (raw[name] === undefined) throw invalid("parameter_missing", `Missing required param: ${name}.`, name);
      const params = readParameters(names, raw);
      return () => run(call, params);
    },
  };
}
