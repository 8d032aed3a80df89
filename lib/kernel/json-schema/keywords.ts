import { countCharacters } from "../text.ts";
import { type Budget, type Builder, type Check, type Failure, isObject, type Rule } from "./check.ts";

type Members = { [name: string]: unknown };

const { isArray } = Array;
const isNumber = (value: unknown): value is number => typeof value === "number";
const isText = (value: unknown): value is string => typeof value === "string";

/** A check of one type of value. Values of other types fit. */
const only =
  <Value>(
    is: (value: unknown) => value is Value,
    check: (value: Value, budget: Budget) => Failure | undefined,
  ): Check =>
  (value, budget) =>
    is(value) ? check(value, budget) : undefined;

const unless = (holds: boolean, words: string): Failure | undefined => (holds ? undefined : { keys: [], words });

/** The failure of a part, as one of the whole. */
function within(key: string | number, failure: Failure | undefined): Failure | undefined {
  failure?.keys.unshift(key);
  return failure;
}

/** The first failure among the entries. */
function first<Entry>(entries: Iterable<Entry>, check: (entry: Entry) => Failure | undefined): Failure | undefined {
  for (const entry of entries) {
    const failure = check(entry);
    if (failure) return failure;
  }
  return undefined;
}

/** The same for an array, without a pair of place and entry for each: there may be many checks of many entries. */
function firstOf(
  entries: unknown[],
  from: number,
  check: (entry: unknown) => Failure | undefined,
): Failure | undefined {
  for (let at = from; at < entries.length; at += 1) {
    const failure = check(entries[at]);
    if (failure) return within(at, failure);
  }
  return undefined;
}

function keysOf(value: Members, budget: Budget): string[] {
  const keys = Object.keys(value);
  budget.spend(4 * keys.length);
  return keys;
}

/** The same text for equal JSON values, and for no others. */
function textOf(value: unknown, budget?: Budget): string {
  const text = isText(value) ? `"${value}` : JSON.stringify(value, inOrder);
  budget?.spend(10 + text.length);
  return text;
}
const inOrder = (_key: string, value: unknown) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

function missing(value: Members, wanted: readonly string[], budget: Budget): Failure | undefined {
  budget.spend(wanted.length);
  return first(wanted, (name) => within(name, unless(Object.hasOwn(value, name), "is required")));
}

// Operands

function whole(operand: unknown, on: Builder): number {
  return Number.isSafeInteger(operand) && Number(operand) >= 0
    ? Number(operand)
    : on.refuse("must be a whole number of at least 0");
}

function schemas(operand: unknown, on: Builder): Check[] {
  if (!isArray(operand) || operand.length === 0) return on.refuse("must be a list of at least one schema");
  return operand.map((_, at) => on.below(at));
}

function schemasByName(operand: unknown, on: Builder): [name: string, check: Check][] {
  if (!isObject(operand)) return on.refuse("must be an object of schemas");
  return Object.keys(operand).map((name) => [name, on.below(name)]);
}

function names(operand: unknown, on: Builder): string[] {
  return isArray(operand) && operand.every(isText) ? operand : on.refuse("must be a list of strings");
}

const text = (operand: unknown, on: Builder) => (isText(operand) ? operand : on.refuse("must be a string"));

// Rules that several keywords share

/** A bound of numbers. */
const ofNumber =
  (holds: (value: number, bound: number) => boolean, words: string): Rule =>
  (bound, on) =>
    isNumber(bound)
      ? only(isNumber, (value) => unless(holds(value, bound), `must be ${words} ${bound}`))
      : on.refuse("must be a number");

/** A bound of a size, which is undefined for values of other types. */
const ofSize = (
  sizeOf: (value: unknown, budget: Budget) => number | undefined,
  end: "least" | "most",
  things: string,
): Rule => {
  return (operand, on) => {
    const bound = whole(operand, on);
    return (value, budget) => {
      const size = sizeOf(value, budget) ?? bound;
      return unless(end === "most" ? size <= bound : size >= bound, `must have at ${end} ${bound} ${things}`);
    };
  };
};
const characters = (value: unknown, budget: Budget) => {
  if (!isText(value)) return undefined;
  budget.spend(value.length);
  return countCharacters(value);
};
const entries = (value: unknown) => (isArray(value) ? value.length : undefined);
const properties = (value: unknown, budget: Budget) => (isObject(value) ? keysOf(value, budget).length : undefined);

const each = (rule: Rule, ...keywords: string[]) => Object.fromEntries(keywords.map((keyword) => [keyword, rule]));
const annotation: Rule = () => undefined;
const annotationText: Rule = (operand, on) => void text(operand, on);
/** Other keywords refer to these schemas; here they are only checked for form. */
const definitions: Rule = (operand, on) => void schemasByName(operand, on);
const branch: Rule = (_operand, on) => void on.below();

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const TYPES: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: isArray,
  number: isNumber,
  integer: Number.isInteger,
  string: isText,
};

/**
 * The keywords of JSON Schema 2020-12. A schema with any other keyword is refused, because a criterion that silently checks less
 * than it says is worse than none.
 */
export const KEYWORDS: Record<string, Rule> = {
  $schema: (operand, on) =>
    text(operand, on).replace(/#$/, "") === DIALECT ? undefined : on.refuse(`must be ${DIALECT}, or absent`),
  $id: (operand, on) => (on.isRoot && isText(operand) ? undefined : on.refuse("must be a string, and only at the top")),
  ...each(annotationText, "$comment", "title", "description", "format", "contentEncoding", "contentMediaType"),
  ...each(annotation, "default", "examples", "deprecated", "readOnly", "writeOnly"),

  // Values of any type
  type: (operand, on) => {
    const types = (isArray(operand) ? operand : [operand]).map(String);
    if (types.length === 0 || !types.every((type) => Object.hasOwn(TYPES, type)))
      return on.refuse(`must be ${Object.keys(TYPES).join(", ")} or a list of these`);
    return (value) =>
      unless(
        types.some((type) => TYPES[type]?.(value)),
        `must be of type ${types.join(" or ")}`,
      );
  },
  enum: (operand, on) => {
    if (!isArray(operand)) return on.refuse("must be a list");
    const accepted = new Set(operand.map((each) => textOf(each)));
    return (value, budget) => unless(accepted.has(textOf(value, budget)), "must be one of the values of enum");
  },
  const: (operand) => {
    const accepted = textOf(operand);
    return (value, budget) => unless(textOf(value, budget) === accepted, "must be the value of const");
  },

  // Numbers
  multipleOf: (operand, on) => {
    if (!isNumber(operand) || operand <= 0) return on.refuse("must be a number above 0");
    return only(isNumber, (value, budget) => {
      budget.spend(200);
      return unless(isMultiple(value, operand), `must be a multiple of ${operand}`);
    });
  },
  maximum: ofNumber((value, bound) => value <= bound, "at most"),
  exclusiveMaximum: ofNumber((value, bound) => value < bound, "less than"),
  minimum: ofNumber((value, bound) => value >= bound, "at least"),
  exclusiveMinimum: ofNumber((value, bound) => value > bound, "more than"),

  // Strings
  maxLength: ofSize(characters, "most", "characters"),
  minLength: ofSize(characters, "least", "characters"),
  pattern: (operand, on) => {
    const pattern = on.pattern(text(operand, on));
    return only(isText, (value, budget) => {
      budget.spend(pattern.cost(value.length));
      return unless(pattern.test(value), "must match the pattern");
    });
  },

  // Arrays
  maxItems: ofSize(entries, "most", "entries"),
  minItems: ofSize(entries, "least", "entries"),
  uniqueItems: (operand, on) => {
    if (typeof operand !== "boolean") return on.refuse("must be true or false");
    if (!operand) return undefined;
    return only(isArray, (value, budget) => {
      const texts = new Set(value.map((each) => textOf(each, budget)));
      return unless(texts.size === value.length, "must not have equal entries");
    });
  },
  prefixItems: (operand, on) => {
    const checks = schemas(operand, on);
    return only(isArray, (value, budget) =>
      first(checks.slice(0, value.length).entries(), ([at, check]) => within(at, check(value[at], budget))),
    );
  },
  items: (_operand, on) => {
    const check = on.below();
    const prefix = isArray(on.schema.prefixItems) ? on.schema.prefixItems.length : 0;
    return only(isArray, (value, budget) => firstOf(value, prefix, (each) => check(each, budget)));
  },
  contains: (_operand, on) => {
    const check = on.below();
    const least = Number(on.schema.minContains ?? 1);
    const most = Number(on.schema.maxContains ?? Number.POSITIVE_INFINITY);
    return only(isArray, (value, budget) => {
      budget.spend(value.length);
      const found = value.filter((each) => !check(each, budget)).length;
      return (
        unless(found >= least, `must contain at least ${least} matching entries`) ??
        unless(found <= most, `must contain at most ${most} matching entries`)
      );
    });
  },
  ...each((operand, on) => void whole(operand, on), "minContains", "maxContains"),

  // Objects
  maxProperties: ofSize(properties, "most", "properties"),
  minProperties: ofSize(properties, "least", "properties"),
  required: (operand, on) => {
    const wanted = names(operand, on);
    return only(isObject, (value, budget) => missing(value, wanted, budget));
  },
  dependentRequired: (operand, on) => {
    if (!isObject(operand)) return on.refuse("must be an object of lists of strings");
    const wanted = Object.entries(operand).map(([name, list]) => [name, names(list, on)] as const);
    return only(isObject, (value, budget) => {
      budget.spend(wanted.length);
      return first(wanted, ([name, list]) => (Object.hasOwn(value, name) ? missing(value, list, budget) : undefined));
    });
  },
  dependentSchemas: (operand, on) => {
    const checks = schemasByName(operand, on);
    return only(isObject, (value, budget) => {
      budget.spend(checks.length);
      return first(checks, ([name, check]) => (Object.hasOwn(value, name) ? check(value, budget) : undefined));
    });
  },
  properties: (operand, on) => {
    const checks = schemasByName(operand, on);
    return only(isObject, (value, budget) => {
      budget.spend(checks.length);
      return first(checks, ([name, check]) =>
        Object.hasOwn(value, name) ? within(name, check(value[name], budget)) : undefined,
      );
    });
  },
  patternProperties: (operand, on) => {
    const checks = schemasByName(operand, on).map(([source, check]) => [on.pattern(source, source), check] as const);
    return only(isObject, (value, budget) =>
      first(keysOf(value, budget), (name) =>
        first(checks, ([pattern, check]) => {
          budget.spend(pattern.cost(name.length));
          return pattern.test(name) ? within(name, check(value[name], budget)) : undefined;
        }),
      ),
    );
  },
  additionalProperties: (_operand, on) => {
    const check = on.below();
    const declared = isObject(on.schema.properties) ? on.schema.properties : {};
    const { patternProperties } = on.schema;
    const patterns = isObject(patternProperties) ? Object.keys(patternProperties).map((each) => on.pattern(each)) : [];
    return only(isObject, (value, budget) =>
      first(keysOf(value, budget), (name) => {
        const isDeclared =
          Object.hasOwn(declared, name) ||
          patterns.some((pattern) => {
            budget.spend(pattern.cost(name.length));
            return pattern.test(name);
          });
        return isDeclared ? undefined : within(name, check(value[name], budget));
      }),
    );
  },
  propertyNames: (_operand, on) => {
    const check = on.below();
    return only(isObject, (value, budget) => first(keysOf(value, budget), (name) => within(name, check(name, budget))));
  },

  // Schemas for the same value
  ...each(definitions, "$defs", "definitions"),
  $ref: (operand, on) => on.referenced(text(operand, on)),
  allOf: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, budget) => first(checks, (check) => check(value, budget));
  },
  anyOf: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, budget) =>
      unless(
        checks.some((check) => !check(value, budget)),
        "must match one of the schemas of anyOf",
      );
  },
  oneOf: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, budget) => {
      const fitting = checks.filter((check) => !check(value, budget)).length;
      return unless(fitting === 1, `must match exactly one of the schemas of oneOf, and matches ${fitting}`);
    };
  },
  not: (_operand, on) => {
    const check = on.below();
    return (value, budget) => unless(check(value, budget) !== undefined, "must not match the schema of not");
  },
  if: (_operand, on) => {
    const condition = on.below();
    const [yes, no] = ["then", "else"].map((keyword) =>
      Object.hasOwn(on.schema, keyword) ? on.beside(keyword) : undefined,
    );
    return (value, budget) => (condition(value, budget) ? no : yes)?.(value, budget);
  },
  ...each(branch, "then", "else"),
};

/** Whether a number is a whole multiple of another, in decimal as both are written: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const [left, right] = [decimal(value), decimal(of)];
  const scale = Math.min(left.exponent, right.exponent);
  const units = ({ digits, exponent }: typeof left) => digits * 10n ** BigInt(exponent - scale);
  return units(left) % units(right) === 0n;
}

function decimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa = "0", power = "0"] = String(value).split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
