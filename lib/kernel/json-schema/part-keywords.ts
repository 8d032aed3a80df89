import { isObject, type Rule } from "./check.ts";
import { first, inside, isArray, isText, keysOf, schemas, schemasByName, whole } from "./operands.ts";

const definitions: Rule = (operand, on) => {
  schemasByName(operand, on);
  return undefined;
};

/** Compiled by the keyword that it belongs to; only its form is checked here, in case that keyword is absent. */
const belongsTo =
  (keyword: string): Rule =>
  (_operand, on) => {
    if (!Object.hasOwn(on.schema, keyword)) on.below();
    return undefined;
  };

/** Keywords with subschemas, for the value or for its parts. */
export const PART_KEYWORDS: Record<string, Rule> = {
  $defs: definitions,
  definitions,
  $ref: (operand, on) => on.referenced(isText(operand) ? operand : on.refuse("must be a string")),
  prefixItems: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, place, budget) =>
      isArray(value)
        ? first(checks.slice(0, value.length), (check, at) => check(value[at], inside(place, at), budget))
        : undefined;
  },
  items: (_operand, on) => {
    const check = on.below();
    const prefix = isArray(on.schema.prefixItems) ? on.schema.prefixItems.length : 0;
    return (value, place, budget) =>
      isArray(value)
        ? first(value, (each, at) => (at < prefix ? undefined : check(each, inside(place, at), budget)))
        : undefined;
  },
  contains: (_operand, on) => {
    const check = on.below();
    const { minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = on.schema;
    return (value, place, budget) => {
      if (!isArray(value)) return undefined;
      budget.spend(value.length);
      const found = value.filter((each) => !check(each, undefined, budget)).length;
      if (found < (least as number)) return { place, words: `must contain at least ${least} matching entries` };
      return found > (most as number) ? { place, words: `must contain at most ${most} matching entries` } : undefined;
    };
  },
  minContains: (operand, on) => void whole(operand, on),
  maxContains: (operand, on) => void whole(operand, on),
  dependentSchemas: (operand, on) => {
    const checks = [...schemasByName(operand, on)];
    return (value, place, budget) => {
      if (!isObject(value)) return undefined;
      budget.spend(checks.length);
      return first(checks, ([name, check]) => (Object.hasOwn(value, name) ? check(value, place, budget) : undefined));
    };
  },
  properties: (operand, on) => {
    const checks = [...schemasByName(operand, on)];
    return (value, place, budget) => {
      if (!isObject(value)) return undefined;
      budget.spend(checks.length);
      return first(checks, ([name, check]) =>
        Object.hasOwn(value, name) ? check(value[name], inside(place, name), budget) : undefined,
      );
    };
  },
  patternProperties: (operand, on) => {
    const checks = [...schemasByName(operand, on)].map(
      ([source, check]) => [on.pattern(source, source), check] as const,
    );
    return (value, place, budget) => {
      if (!isObject(value)) return undefined;
      return first(keysOf(value, budget), (name) =>
        first(checks, ([pattern, check]) => {
          budget.spend(pattern.cost(name.length));
          return pattern.test(name) ? check(value[name], inside(place, name), budget) : undefined;
        }),
      );
    };
  },
  additionalProperties: (_operand, on) => {
    const check = on.below();
    const declared = isObject(on.schema.properties) ? on.schema.properties : {};
    const patterns = isObject(on.schema.patternProperties)
      ? Object.keys(on.schema.patternProperties).map((source) => on.pattern(source))
      : [];
    return (value, place, budget) => {
      if (!isObject(value)) return undefined;
      return first(keysOf(value, budget), (name) => {
        if (Object.hasOwn(declared, name)) return undefined;
        const matches = patterns.some((pattern) => {
          budget.spend(pattern.cost(name.length));
          return pattern.test(name);
        });
        return matches ? undefined : check(value[name], inside(place, name), budget);
      });
    };
  },
  propertyNames: (_operand, on) => {
    const check = on.below();
    return (value, place, budget) =>
      isObject(value) ? first(keysOf(value, budget), (name) => check(name, inside(place, name), budget)) : undefined;
  },
  allOf: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, place, budget) => first(checks, (check) => check(value, place, budget));
  },
  anyOf: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, place, budget) =>
      checks.some((check) => !check(value, place, budget))
        ? undefined
        : { place, words: "must match one of the schemas of anyOf" };
  },
  oneOf: (operand, on) => {
    const checks = schemas(operand, on);
    return (value, place, budget) => {
      const fitting = checks.filter((check) => !check(value, place, budget)).length;
      return fitting === 1
        ? undefined
        : { place, words: `must match exactly one of the schemas of oneOf, and matches ${fitting}` };
    };
  },
  not: (_operand, on) => {
    const check = on.below();
    return (value, place, budget) =>
      check(value, place, budget) ? undefined : { place, words: "must not match the schema of not" };
  },
  if: (_operand, on) => {
    const condition = on.below();
    const [yes, no] = ["then", "else"].map((keyword) =>
      Object.hasOwn(on.schema, keyword) ? on.beside(keyword) : undefined,
    );
    return (value, place, budget) => (condition(value, place, budget) ? no : yes)?.(value, place, budget);
  },
  ...Object.fromEntries(["then", "else"].map((keyword) => [keyword, belongsTo("if")])),
};
