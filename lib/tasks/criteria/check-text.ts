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
    if (isTooDeep(value, budget)) return `The result is nested deeper than ${MOST_NESTING} levels.`;
    const failure = check(value, undefined, budget);
    return failure && `${placeWords(failure.place)} ${failure.words}.`;
  } catch (error) {
    if (error instanceof Exhausted) return "Checking the result against this schema takes too many steps.";
    throw error;
  }
}

function isTooDeep(value: unknown, budget: Budget): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_NESTING) return true;
    budget.spend(2 * level.length);
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** A JSON Pointer into the result. */
function placeWords(place: Place | undefined): string {
  const keys: string[] = [];
  for (let at = place; at; at = at.parent) keys.unshift(String(at.key).replaceAll("~", "~0").replaceAll("/", "~1"));
  return keys.length === 0 ? "The result" : clip(`/${keys.join("/")}`, MOST_PLACE_CHARACTERS).toWellFormed();
}
