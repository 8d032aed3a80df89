import type { Budget } from "./budget.ts";
import { type Builder, type Check, type Failure, isObject, type Place } from "./check.ts";

// What the rules of several keywords use.

export const isArray = Array.isArray;
export const isNumber = (value: unknown): value is number => typeof value === "number";
export const isText = (value: unknown): value is string => typeof value === "string";
export const inside = (parent: Place | undefined, key: string | number): Place => ({ parent, key });

export function whole(operand: unknown, on: Builder): number {
  if (!Number.isSafeInteger(operand) || (operand as number) < 0) on.refuse("must be a whole number of at least 0");
  return operand as number;
}

export function schemas(operand: unknown, on: Builder): Check[] {
  if (!isArray(operand) || operand.length === 0) return on.refuse("must be a list of at least one schema");
  return operand.map((_, place) => on.below(place));
}

export function schemasByName(operand: unknown, on: Builder): Map<string, Check> {
  if (!isObject(operand)) return on.refuse("must be an object of schemas");
  return new Map(Object.keys(operand).map((name) => [name, on.below(name)]));
}

export function names(operand: unknown, on: Builder): string[] {
  if (!isArray(operand) || !operand.every(isText)) return on.refuse("must be a list of strings");
  return operand;
}

/** The same text for equal JSON values, and for no others. */
export function textOf(value: unknown, budget?: Budget): string {
  const text = isText(value) ? `"${value}` : JSON.stringify(value, inOrder);
  budget?.spend(10 + text.length);
  return text;
}

const inOrder = (_key: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** The names of an object's properties. */
export function keysOf(value: { [key: string]: unknown }, budget: Budget): string[] {
  const keys = Object.keys(value);
  budget.spend(4 * keys.length);
  return keys;
}

/** The first failure among the entries. */
export function first<Entry>(
  list: readonly Entry[],
  check: (entry: Entry, at: number) => Failure | undefined,
): Failure | undefined {
  for (const [at, entry] of list.entries()) {
    const failure = check(entry, at);
    if (failure) return failure;
  }
  return undefined;
}

export function missing(
  value: { [key: string]: unknown },
  wanted: readonly string[],
  place: Place | undefined,
  budget: Budget,
): Failure | undefined {
  budget.spend(wanted.length);
  return first(wanted, (name) =>
    Object.hasOwn(value, name) ? undefined : { place: inside(place, name), words: "is required" },
  );
}
