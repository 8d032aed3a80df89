import { type Budget, Exhausted, isObject, SchemaProblem } from "#lib/kernel/json-schema/check.ts";
import { validate } from "#lib/kernel/json-schema/json-schema.ts";
import { clip } from "#lib/kernel/text.ts";
import { parseStrictJson } from "#sdk/verify/strict-json.ts";

const MOST_NESTING = 100;
const MOST_POINTER_CHARACTERS = 200;

/**
 * Checks a text that should be JSON against the schema of a criterion.
 * @param budget may be shared by several checks
 * @param what the text is, for the reasons
 * @param reading what only looking at the text may take
 * @returns undefined if it fits, or else what is wrong with it
 */
export function checkText(
  schema: unknown,
  text: string,
  budget: Budget,
  what = "The result",
  reading = budget,
): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${what} is not JSON.`;
  }
  try {
    const unusable = whyUnusable(value, budget, what) ?? whyAmbiguous(text, reading, what);
    if (unusable) return unusable;
    const problem = validate(schema, value, budget);
    return problem && `${clip(problem.path, MOST_POINTER_CHARACTERS).toWellFormed() || what} ${problem.message}.`;
  } catch (error) {
    if (error instanceof SchemaProblem) return "This version of the service no longer supports this schema.";
    if (error instanceof Exhausted)
      return `Checking ${what.replace("The", "the")} against this schema takes too many steps.`;
    throw error;
  }
}

/** Text to which no schema can be applied. */
function whyUnusable(value: unknown, budget: Budget, what: string): string | undefined {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_NESTING) return `${what} is nested deeper than ${MOST_NESTING} levels.`;
    budget.spend(2 * level.length);
    // JSON has numbers such as 1e999, which readers of JSON cannot tell from others that are too large.
    if (level.some((each) => each === Number.POSITIVE_INFINITY || each === Number.NEGATIVE_INFINITY))
      return `${what} has a number that is too large to be read.`;
    const isBroken = (each: unknown) => typeof each === "string" && !each.isWellFormed();
    if (level.some((each) => isBroken(each) || (isObject(each) && Object.keys(each).some(isBroken))))
      return `${what} has text that is not well-formed Unicode.`;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return undefined;
}

/**
 * What readers of JSON understand differently, so that the requester might get something else than what was checked: a member that stands
 * twice, and an integer that many programs round.
 */
function whyAmbiguous(text: string, budget: Budget, what: string): string | undefined {
  budget.spend(text.length);
  try {
    parseStrictJson(text);
  } catch {
    return `${what} has an object in which one name stands twice.`;
  }
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/[-+.\deE]+/g) ?? [];
  const isRounded = (number: string) => /^-?\d{16,}$/.test(number) && BigInt(number) !== BigInt(Number(number));
  return numbers.some(isRounded) ? `${what} has an integer that is too large to be read exactly.` : undefined;
}
