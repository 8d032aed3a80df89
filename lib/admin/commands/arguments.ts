import { z } from "zod";
import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { id, text } from "#lib/kernel/fields.ts";
import { ID_PREFIXES, type IdPrefix, idPattern } from "#lib/kernel/ids.ts";
import { didYouMean } from "#lib/kernel/mistakes.ts";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { DENIABLE, HOST_PREFIX, HostSubject, QUOTA_NAMES, RESOLUTIONS, RISKS } from "../schema.ts";

// What administrators type after a command's name. Everything here throws ApiError invalid_input, which names the argument.

/** The options that were given, by name; a flag has an empty value. */
export type Given = ReadonlyMap<string, string>;

/** An ID as the examples of commands show it. */
export const exampleId = (prefix: IdPrefix): string => `${prefix}_7Vd2KqWmXr9sTzB4nHcYpL`;

/** What an act is about, or what it sets. */
export type Argument<Schema extends z.ZodType = z.ZodType> = {
  /** As the usage text names it. */
  usage: string;
  /** As the act's endpoint takes it. */
  schema: Schema;
  /** As the command takes it. */
  read(typed: string | undefined): unknown;
};

const ofId = (usage: string, prefix: IdPrefix) => ({
  usage,
  schema: id(prefix),
  read: (typed?: string) => checked(usage, typed, idPattern(prefix)),
});
export const PUBLIC_ID = ofId("PUBLIC_ID", "agt");
export const TASK_ID = ofId("TASK_ID", "tsk");
export const SETTLEMENT_ID = ofId("SETTLEMENT_ID", "stl");
export const DISPUTE_ID = ofId("DISPUTE_ID", "dsp");
export const POST_ID = ofId("POST_ID", "pst");
export const REPORT_ID = ofId("REPORT_ID", "rpt");
export const MODERATION_ID = ofId("MODERATION_ID", "mod");
export const PATTERN_ID = ofId("PATTERN_ID", "pat");
export const FILE_ID = ofId("FILE_ID", "fil");
export const OWNER_ID = ofId("OWNER_ID", "own");

/** The console knows the account by its ID. */
export const ACCOUNT = {
  usage: "OWNER_ID|EMAIL",
  schema: id("own"),
  read: (typed?: string) => checked("OWNER_ID|EMAIL", typed, idPattern("own"), /^[^@\s]+@[^@\s]+$/),
};

/** One of these IDs, or `host:` and a host name. */
function subject<const Prefixes extends readonly IdPrefix[]>(usage: string, ...prefixes: Prefixes) {
  return {
    usage,
    schema: z.union([...prefixes.map(id), HostSubject]),
    read(typed?: string) {
      if (!typed?.startsWith(HOST_PREFIX)) return checked(usage, typed, ...prefixes.map(idPattern));
      const host = HostSubject.safeParse(typed);
      if (host.success) return host.data;
      throw invalidInput(usage, host.error.issues[0]?.message ?? "has the wrong form");
    },
  };
}
export const HOLDABLE = subject("PUBLIC_ID|TASK_ID|host:NAME", "agt", "tsk");
export const RATABLE = subject("PUBLIC_ID|host:NAME", "agt");

function choice<const Values extends readonly string[]>(name: string, values: Values, usage = name) {
  return { usage, schema: z.enum(values), read: (typed?: string) => oneOf(name, typed, values) };
}
export const RISK = choice("RISK", RISKS, RISKS.join("|"));
export const QUOTA = choice("QUOTA", QUOTA_NAMES, QUOTA_NAMES.join("|"));
export const ACTION = choice("ACTION", DENIABLE);
export const RESOLUTION = choice("RESOLUTION", RESOLUTIONS, RESOLUTIONS.join("|"));
export const PATTERN_KIND = choice("KIND", ["literal", "re2"]);
export const PATTERN = { usage: "PATTERN", schema: text(256), read: (typed = "") => typed };

export const QUOTA_LIMIT = {
  usage: "N",
  schema: z.int().min(0).max(MAX_QUOTA),
  read(typed = "") {
    if (/^\d{1,9}$/.test(typed) && Number(typed) <= MAX_QUOTA) return Number(typed);
    throw invalidInput("N", `must be a whole number from 0 to ${MAX_QUOTA}`);
  },
};

function checked(name: string, value: string | undefined, ...patterns: RegExp[]): string {
  if (value && patterns.some((pattern) => pattern.test(value))) return value;
  throw invalidInput(name, `has the wrong form, and must be ${patterns.map(formOf).join(" or ")}: ${value ?? ""}`);
}

function formOf(pattern: RegExp): string {
  const prefix = ID_PREFIXES.find((each) => idPattern(each).source === pattern.source);
  return prefix ? `${prefix}_ and 22 characters` : "an e-mail address";
}

export function oneOf<Value extends string>(name: string, value: string | undefined, values: readonly Value[]): Value {
  const found = values.find((candidate) => candidate === value);
  if (found) return found;
  throw invalidInput(name, `must be one of ${values.join(", ")}${didYouMean(value, values)}`);
}

/** An option of whole pence; undefined if it was not given. */
export function amountOf(name: string, given: Given, least: number): number | undefined {
  const typed = given.get(name);
  if (typed === undefined) return undefined;
  const pence = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (pence >= least && pence <= MAX_PENCE) return pence;
  throw invalidInput(`--${name}`, `must be a whole number of pence from ${least} to ${MAX_PENCE}`);
}

export function actIdOf(given: Given): string | undefined {
  const typed = given.get("act-id");
  return typed === undefined ? undefined : checked("--act-id", typed, idPattern("act"));
}
