import { z } from "zod";
import { defineEndpoint, type Endpoint } from "#lib/kernel/endpoint.ts";
import type { ErrorCode } from "#lib/kernel/errors.ts";
import { id, text } from "#lib/kernel/fields.ts";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import type { AdminContext } from "../context.ts";
import { type Argument, actIdOf, amountOf, type Given } from "./arguments.ts";
import type { Command, Described, OptionName } from "./command.ts";

// An act of administrators is declared once. Its endpoint, for the console's pages, and its command follow from that.

type Field = { schema: z.ZodType; read(given: Given): unknown };

/** A form sends it as text. */
const Flag = z.union([z.boolean(), z.stringbool()]).optional();
const flag = (option: OptionName) => ({ schema: Flag, read: (given: Given) => given.has(option) });
const pence = (option: OptionName, least: number) => ({
  schema: z.int().min(least).max(MAX_PENCE).optional(),
  read: (given: Given) => amountOf(option, given, least),
});

/** The options that an act can take. `--act-id` is the field `act_id`. */
const FIELDS = {
  complete: flag("complete"),
  refund: flag("refund"),
  preview: flag("preview"),
  pence: pence("pence", 1),
  "provider-pence": pence("provider-pence", 0),
  "act-id": { schema: id("act").optional(), read: actIdOf },
} satisfies Partial<Record<OptionName, Field>>;

type ActInput<Args extends Record<string, Argument>> = { [Name in keyof Args]: z.output<Args[Name]["schema"]> } & {
  complete?: boolean | undefined;
  refund?: boolean | undefined;
  preview?: boolean | undefined;
  pence?: number | undefined;
  provider_pence?: number | undefined;
  /** The act's own ID: the same act under the same ID is carried out once. */
  act_id?: string | undefined;
  reason: string;
};

/** An act with an endpoint of this name, `/api/v1/admin/{endpoint}.php`, as a command. */
export function act<Args extends Record<string, Argument>>({
  endpoint,
  args,
  options = [],
  errors = [],
  run,
  ...described
}: Pick<Described, "summary" | "example"> & {
  endpoint: string;
  /** By their names in a request. */
  args: Args;
  options?: (keyof typeof FIELDS)[];
  /** Besides those of every act. */
  errors?: ErrorCode[];
  run(ctx: AdminContext, input: ActInput<Args>): Promise<object>;
}): Command {
  const named = Object.entries(args);
  const chosen = options.map((option) => [option.replaceAll("-", "_"), FIELDS[option]] as const);
  const fields = Object.fromEntries([...named, ...chosen].map(([name, { schema }]) => [name, schema]));
  return {
    ...described,
    args: named.map(([, { usage }]) => usage),
    options,
    changes: true,
    endpoint: actEndpoint(
      endpoint,
      described.summary,
      fields,
      (ctx, input) => run(ctx, input as ActInput<Args>),
      errors,
    ),
    run(ctx, words, reason, given) {
      const typed = named.map(([name, argument], place) => [name, argument.read(words[place])]);
      const taken = chosen.map(([name, option]) => [name, option.read(given)]);
      return run(ctx, { ...Object.fromEntries([...typed, ...taken]), reason });
    },
  };
}

type Shape = Record<string, z.ZodType>;

/** An act of an administrator, for the service's own pages only: its answer is what the verb returns. */
export function actEndpoint<S extends Shape>(
  name: string,
  summary: string,
  fields: S,
  run: (ctx: AdminContext, input: { [Name in keyof S]: z.output<S[Name]> } & { reason: string }) => Promise<object>,
  errors: ErrorCode[] = [],
): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: `/api/v1/admin/${name}.php`,
    tag: "Administration",
    summary,
    auth: "administrator",
    status: 200,
    errors: ["not_found", "forbidden", "state_conflict", ...errors],
    input: z.strictObject({ ...fields, reason: text(2_000) } as Shape),
    output: z.looseObject({}),
    run: async (ctx, input) => ({ ...(await run(ctx, input as never)) }),
  });
}
