import type { Budget } from "./budget.ts";
import type { Pattern } from "./pattern.ts";

/** Where in the checked value something is wrong: the keys that lead there, innermost first. */
export type Place = { parent: Place | undefined; key: string | number };
export type Failure = { place: Place | undefined; words: string };

/** Checks a value; undefined if it fits. @throws Exhausted */
export type Check = (value: unknown, place: Place | undefined, budget: Budget) => Failure | undefined;

export type Schema = boolean | { [keyword: string]: unknown };

/** Something in a schema that cannot be used. */
export class SchemaProblem extends Error {
  /** JSON Pointer of the keyword or subschema. */
  readonly pointer: string;
  constructor(pointer: string, message: string) {
    super(message);
    this.pointer = pointer;
  }
}

/** What a keyword's rule needs to compile its operand. */
export type Builder = {
  /** The whole object, because some keywords depend on others beside them. */
  schema: { [keyword: string]: unknown };
  isRoot: boolean;
  /** The operand itself, or what these keys lead to in it, as a subschema. */
  below(...keys: (string | number)[]): Check;
  /** The operand of another keyword of the same object, as a subschema. */
  beside(keyword: string): Check;
  /** The subschema that a reference means. */
  referenced(reference: string): Check;
  /** @param keys lead to the pattern in the operand, which is otherwise the pattern itself */
  pattern(source: string, ...keys: string[]): Pattern;
  refuse(message: string): never;
};

/** What a keyword checks, by its operand; undefined if it checks nothing. @throws SchemaProblem */
export type Rule = (operand: unknown, on: Builder) => Check | undefined;

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
