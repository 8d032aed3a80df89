import { MAX_QUOTA } from "#lib/identity/quotas.ts";
import { invalidInput } from "#lib/kernel/errors.ts";
import { ID_PREFIXES, type IdPrefix, idPattern } from "#lib/kernel/ids.ts";
import { didYouMean } from "#lib/kernel/mistakes.ts";
import { MAX_PENCE } from "#lib/kernel/money.ts";
import { HOST_PREFIX, HostSubject, QuotaLimit } from "../schema.ts";

// What administrators type after a command's name. Everything here throws ApiError invalid_input, which names the argument.

/** The options that were given, by name; a flag has an empty value. */
export type Given = ReadonlyMap<string, string>;

export const PUBLIC_ID = idPattern("agt");
export const TASK_ID = idPattern("tsk");
export const SETTLEMENT_ID = idPattern("stl");
export const DISPUTE_ID = idPattern("dsp");
export const POST_ID = idPattern("pst");
const ACT_ID = idPattern("act");
export const REPORT_ID = idPattern("rpt");
export const MODERATION_ID = idPattern("mod");
export const PATTERN_ID = idPattern("pat");
export const FILE_ID = idPattern("fil");
export const OWNER_ID = idPattern("own");
/** An ID as the examples of commands show it. */
export const exampleId = (prefix: IdPrefix): string => `${prefix}_7Vd2KqWmXr9sTzB4nHcYpL`;
export const EMAIL = /^[^@\s]+@[^@\s]+$/;

export function checked(name: string, value: string | undefined, ...patterns: RegExp[]): string {
  if (value && patterns.some((pattern) => pattern.test(value))) return value;
  throw invalidInput(name, `has the wrong form, and must be ${patterns.map(formOf).join(" or ")}: ${value ?? ""}`);
}

function formOf(pattern: RegExp): string {
  const prefix = ID_PREFIXES.find((each) => idPattern(each).source === pattern.source);
  return prefix ? `${prefix}_ and 22 characters` : "an e-mail address";
}

/** An ID, or `host:` and a normalised host name. */
export function subjectOf(name: string, value: string | undefined, ...patterns: RegExp[]): string {
  if (!value?.startsWith(HOST_PREFIX)) return checked(name, value, ...patterns);
  const host = HostSubject.safeParse(value);
  if (host.success) return host.data;
  throw invalidInput(name, host.error.issues[0]?.message ?? "has the wrong form");
}

export function oneOf<Value extends string>(name: string, value: string | undefined, values: readonly Value[]): Value {
  const found = values.find((candidate) => candidate === value);
  if (found) return found;
  throw invalidInput(name, `must be one of ${values.join(", ")}${didYouMean(value, values)}`);
}

export function quotaLimit(value: string | undefined): number {
  const limit = QuotaLimit.safeParse(/^\d+$/.test(value ?? "") ? Number(value) : undefined);
  if (limit.success) return limit.data;
  throw invalidInput("N", `must be a whole number from 0 to ${MAX_QUOTA}`);
}

/** An option of whole pence; undefined if it was not given. */
export function amountOf(name: string, given: Given, least = 1): number | undefined {
  const typed = given.get(name);
  if (typed === undefined) return undefined;
  const pence = /^\d{1,9}$/.test(typed) ? Number(typed) : Number.NaN;
  if (pence >= least && pence <= MAX_PENCE) return pence;
  throw invalidInput(`--${name}`, `must be a whole number of pence from ${least} to ${MAX_PENCE}`);
}

export function actIdOf(given: Given): string | undefined {
  const typed = given.get("act-id");
  return typed === undefined ? undefined : checked("--act-id", typed, ACT_ID);
}
