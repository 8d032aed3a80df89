import { Budget, Exhausted } from "#lib/kernel/json-schema/budget.ts";
import type { Check, Place } from "#lib/kernel/json-schema/check.ts";
import { clip } from "#lib/kernel/text.ts";

/** About 50 ms of work at the very worst, and usually far less. */
export const MOST_STEPS = 500_000;
const MOST_NESTING = 100;
const MOST_PLACE_CHARACTERS = 200;

/**
 * Checks a text that should be JSON against a compiled schema.
 * @param budget may be shared by several checks
 * @returns undefined if it fits, or else what is wrong with it
 */
export function checkText(check: Check, text: string, budget = new Budget(MOST_STEPS)): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "The result is not JSON.";
  }
  try {
    const unusable = whyUnusable(value, budget);
    if (unusable) return unusable;
    const failure = check(value, undefined, budget);
    return failure && `${placeWords(failure.place)} ${failure.words}.`;
  } catch (error) {
    if (error instanceof Exhausted) return "Checking the result against this schema takes too many steps.";
    throw error;
  }
}

/** What no schema can be applied to. */
function whyUnusable(value: unknown, budget: Budget): string | undefined {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_NESTING) return `The result is nested deeper than ${MOST_NESTING} levels.`;
    budget.spend(2 * level.length);
    // JSON has numbers such as 1e999, which readers of JSON cannot tell from others that are too large.
    if (level.some((each) => each === Number.POSITIVE_INFINITY || each === Number.NEGATIVE_INFINITY))
      return "The result has a number that is too large to be read.";
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return undefined;
}

/** A JSON Pointer into the result. */
function placeWords(place: Place | undefined): string {
  const keys: string[] = [];
  for (let at = place; at; at = at.parent) keys.unshift(String(at.key).replaceAll("~", "~0").replaceAll("/", "~1"));
  return keys.length === 0 ? "The result" : clip(`/${keys.join("/")}`, MOST_PLACE_CHARACTERS).toWellFormed();
}
