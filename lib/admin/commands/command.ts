import type { Endpoint } from "#lib/kernel/endpoint.ts";
import type { Env } from "#lib/kernel/env.ts";
import type { AdminContext } from "../context.ts";
import type { Given } from "./arguments.ts";

/** Every option of every command, so that one name means one thing. One without `value` is a flag. */
export const OPTIONS = {
  complete: { about: "Also complete the submitted task." },
  refund: { about: "Also refund what is left of the payment." },
  pence: { value: "N", about: "Whole pence. Default: everything that is left." },
  "provider-pence": { value: "N", about: "With split: how many whole pence of the gross the provider is awarded." },
  preview: { about: "Print what the command would do, and change nothing. Needs no reason." },
  "act-id": { value: "ID", about: "An ID of your own for this act (act_…). Repeated with it, the act is done once." },
  profiles: { about: "List the profiles without a service identity instead." },
  new: { about: "Print a new key for LOG_SIGNING_KEY instead." },
  origin: { value: "ORIGIN", about: "With --new: the log's name. Default: that of a log of BASE_URL." },
  to: { value: "DATABASE_URL", about: "Restore into this empty database, as the role that owns it." },
  deep: { about: "Also read every kept file, and compare its hash." },
  "continue-log": { about: "Nothing was signed after the backup, so the transparency log goes on." },
} as const satisfies Record<string, Option>;

type Option = { value?: string; about: string };
export type OptionName = keyof typeof OPTIONS;

/** What every command has; a text that `run` answers is printed as it is. */
export type Described = {
  /** The names of the required arguments, for the usage text and to check their number. */
  args: string[];
  optionalArgs?: string[];
  options?: OptionName[];
  summary: string;
  /** What follows `npm run admin --`. A test runs it, with IDs of its own. */
  example: string;
};

/** A command that runs on the migrated database. */
export type Command = Described & {
  /** Changes something, so it needs a reason. */
  changes: boolean;
  /** The reason is optional. */
  needsNoReason?: boolean;
  /** The same act in the console. */
  endpoint?: Endpoint;
  /** Answers without a database where these options need none; undefined otherwise. */
  withoutDatabase?(given: Given): object | undefined;
  run(ctx: AdminContext, args: string[], reason: string, given: Given): Promise<object | string>;
};

/** A command that opens the database in its own way: without migrating it first, or not before it is restored. */
export type OwnCommand = Described & {
  runOn(env: Env, args: string[], given: Given): Promise<object>;
};
