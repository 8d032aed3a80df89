import type { Pattern } from "./pattern.ts";

/** The steps that an evaluation may still take. They are counted, not timed, so the same evaluation ends alike on every machine. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws Exhausted */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Exhausted();
  }
}

export class Exhausted extends Error {}

/** Something in a schema that cannot be used. */
export class SchemaProblem extends Error {
  /** JSON Pointer of the keyword or subschema. */
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** The keys that lead to what is wrong in a value, outermost first, and what is wrong there. */
export type Failure = { keys: (string | number)[]; words: string };

/** Checks a value; undefined if it fits. @throws Exhausted */
export type Check = (value: unknown, budget: Budget) => Failure | undefined;

/** What a keyword checks, given its operand; undefined if it checks nothing. @throws SchemaProblem */
export type Rule = (operand: unknown, on: Builder) => Check | undefined;

/** What a keyword's rule needs to compile its operand. */
export type Builder = {
  /** The whole object, because some keywords depend on others beside them. */
  schema: { [keyword: string]: unknown };
  isRoot: boolean;
  /** The operand itself, or what these keys lead to in it, as a subschema. */
  below(...keys: (string | number)[]): Check;
  /** The operand of another keyword of the same object, which has its own rule, as a subschema. */
  beside(keyword: string): Check;
  /** The subschema that a reference means. */
  referenced(reference: string): Check;
  /** @param keys lead to the pattern in the operand, which is otherwise the pattern itself */
  pattern(source: string, ...keys: string[]): Pattern;
  refuse(message: string): never;
};

export const isObject = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
