import { countCharacters } from "../text.ts";
import type { Budget } from "./budget.ts";
import { isObject, type Rule } from "./check.ts";
import { isMultiple } from "./multiple.ts";
import { first, isArray, isNumber, isText, keysOf, missing, names, textOf, whole } from "./operands.ts";

const TYPES: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: isArray,
  number: isNumber,
  integer: Number.isInteger,
  string: isText,
};

/** A bound of numbers. */
const ofNumber =
  (holds: (value: number, bound: number) => boolean, words: string): Rule =>
  (bound, on) => {
    if (!isNumber(bound)) return on.refuse("must be a number");
    return (value, place) =>
      isNumber(value) && !holds(value, bound) ? { place, words: `must be ${words} ${bound}` } : undefined;
  };

/** A bound of a size: characters, entries or properties. */
const ofSize =
  (sizeOf: (value: unknown, budget: Budget) => number | undefined, most: boolean, things: string): Rule =>
  (operand, on) => {
    const bound = whole(operand, on);
    return (value, place, budget) => {
      const size = sizeOf(value, budget);
      if (size === undefined || (most ? size <= bound : size >= bound)) return undefined;
      return { place, words: `must have at ${most ? "most" : "least"} ${bound} ${things}` };
    };
  };

const characters = (value: unknown, budget: Budget) => {
  if (!isText(value)) return undefined;
  budget.spend(value.length);
  return countCharacters(value);
};
const entries = (value: unknown) => (isArray(value) ? value.length : undefined);
const properties = (value: unknown, budget: Budget) => (isObject(value) ? keysOf(value, budget).length : undefined);

const isKind = (accepts: (operand: unknown) => boolean, words: string): Rule => {
  return (operand, on) => (accepts(operand) ? undefined : on.refuse(`must be ${words}`));
};
const annotation: Rule = () => undefined;
const annotationText = isKind(isText, "a string");

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Keywords that look at the value itself, and those that check nothing. */
export const VALUE_KEYWORDS: Record<string, Rule> = {
  $schema: isKind((operand) => isText(operand) && operand.replace(/#$/, "") === DIALECT, `${DIALECT}, or absent`),
  $id: (operand, on) => (on.isRoot && isText(operand) ? undefined : on.refuse("must be a string, and only at the top")),
  $comment: annotationText,
  ...{ title: annotationText, description: annotationText, format: annotationText },
  ...{ contentEncoding: annotationText, contentMediaType: annotationText },
  ...{ default: annotation, examples: annotation },
  ...{ deprecated: annotation, readOnly: annotation, writeOnly: annotation },
  type: (operand, on) => {
    const types = (isArray(operand) ? operand : [operand]).map(String);
    if (types.length === 0 || !types.every((type) => Object.hasOwn(TYPES, type)))
      return on.refuse(`must be ${Object.keys(TYPES).join(", ")} or a list of these`);
    return (value, place) =>
      types.some((type) => TYPES[type]?.(value))
        ? undefined
        : { place, words: `must be of type ${types.join(" or ")}` };
  },
  enum: (operand, on) => {
    if (!isArray(operand)) return on.refuse("must be a list");
    const accepted = new Set(operand.map((each) => textOf(each)));
    return (value, place, budget) =>
      accepted.has(textOf(value, budget)) ? undefined : { place, words: "must be one of the values of enum" };
  },
  const: (operand) => {
    const accepted = textOf(operand);
    return (value, place, budget) =>
      textOf(value, budget) === accepted ? undefined : { place, words: "must be the value of const" };
  },
  multipleOf: (operand, on) => {
    if (!isNumber(operand) || operand <= 0) return on.refuse("must be a number above 0");
    return (value, place, budget) => {
      if (!isNumber(value)) return undefined;
      budget.spend(200);
      return isMultiple(value, operand) ? undefined : { place, words: `must be a multiple of ${operand}` };
    };
  },
  maximum: ofNumber((value, bound) => value <= bound, "at most"),
  exclusiveMaximum: ofNumber((value, bound) => value < bound, "less than"),
  minimum: ofNumber((value, bound) => value >= bound, "at least"),
  exclusiveMinimum: ofNumber((value, bound) => value > bound, "more than"),
  maxLength: ofSize(characters, true, "characters"),
  minLength: ofSize(characters, false, "characters"),
  pattern: (operand, on) => {
    const pattern = on.pattern(isText(operand) ? operand : on.refuse("must be a string"));
    return (value, place, budget) => {
      if (!isText(value)) return undefined;
      budget.spend(pattern.cost(value.length));
      return pattern.test(value) ? undefined : { place, words: "must match the pattern" };
    };
  },
  maxItems: ofSize(entries, true, "entries"),
  minItems: ofSize(entries, false, "entries"),
  uniqueItems: (operand, on) => {
    if (typeof operand !== "boolean") return on.refuse("must be true or false");
    return (value, place, budget) => {
      if (!operand || !isArray(value)) return undefined;
      const texts = new Set(value.map((each) => textOf(each, budget)));
      return texts.size === value.length ? undefined : { place, words: "must not have equal entries" };
    };
  },
  maxProperties: ofSize(properties, true, "properties"),
  minProperties: ofSize(properties, false, "properties"),
  required: (operand, on) => {
    const wanted = names(operand, on);
    return (value, place, budget) => (isObject(value) ? missing(value, wanted, place, budget) : undefined);
  },
  dependentRequired: (operand, on) => {
    if (!isObject(operand)) return on.refuse("must be an object of lists of strings");
    const wanted = Object.entries(operand).map(([name, list]) => [name, names(list, on)] as const);
    return (value, place, budget) => {
      if (!isObject(value)) return undefined;
      budget.spend(wanted.length);
      return first(wanted, ([name, list]) =>
        Object.hasOwn(value, name) ? missing(value, list, place, budget) : undefined,
      );
    };
  },
};
