import { canonicalJson } from "#sdk/canonical-json.ts";
import { isPlainText } from "../text.ts";
import { Budget, type Check, isObject, SchemaProblem } from "./check.ts";
import { KEYWORDS } from "./keywords.ts";
import { Patterns } from "./pattern.ts";

// JSON Schema 2020-12 for schemas and values by strangers: nothing is fetched or evaluated as code, references lead only into the schema itself and
// never in a circle, and both the schema's size, with its references written out, and the steps of a check are bounded.

const MOST_BYTES = 16_384;
const MOST_SUBSCHEMAS = 1_000;
const MOST_NESTING = 64;
/** About 50 ms of work at the very worst, and usually far less. */
const MOST_STEPS = 500_000;

/** What is wrong, and the JSON Pointer of where. */
export type Problem = { path: string; message: string };

/** For values of as many bytes as a schema may have; results are longer. */
const MOST_STEPS_OF_DATA = 200_000;

export const newBudget = () => new Budget(MOST_STEPS);
export const newDataBudget = () => new Budget(MOST_STEPS_OF_DATA);

/** What is wrong with a schema; undefined if values can be checked against it. */
export function checkSchema(schema: unknown): Problem | undefined {
  const message = whyUnfit(schema);
  if (message) return { path: "", message };
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    if (error instanceof SchemaProblem) return { path: error.path, message: error.message };
    throw error;
  }
}

/**
 * What is wrong with a value; undefined if it fits the schema.
 * @param schema one that `checkSchema` has accepted
 * @param budget may be shared by several checks
 * @throws SchemaProblem if today's rules refuse the schema
 * @throws Exhausted if the check takes more steps than the budget has left
 */
export function validate(schema: unknown, value: unknown, budget = newBudget()): Problem | undefined {
  const failure = compile(schema)(value, budget);
  return failure && { path: pointerTo(failure.keys), message: failure.words };
}

/** Why a JSON value can be neither a schema nor kept as data; undefined if it can. */
export function whyUnfit(schema: unknown): string | undefined {
  if (!hasPlainNames(schema)) return "must have names without control characters, and none that is __proto__";
  let bytes: number;
  try {
    bytes = new TextEncoder().encode(canonicalJson(schema)).length;
  } catch {
    return "must have a canonical form: only finite numbers and well-formed text";
  }
  return bytes > MOST_BYTES ? `must have at most ${MOST_BYTES} bytes as canonical JSON, and has ${bytes}` : undefined;
}

function hasPlainNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasPlainNames);
  if (!isObject(value)) return true;
  return Object.entries(value).every(
    ([name, below]) => name !== "__proto__" && isPlainText(name) && hasPlainNames(below),
  );
}

/** @throws SchemaProblem */
function compile(schema: unknown): Check {
  return new Compiler(schema).at("").check;
}

type Compiled = { check: Check; subschemas: number; nesting: number };

class Compiler {
  readonly #root: unknown;
  readonly #patterns = new Patterns();
  /** By pointer; undefined while it is being compiled. */
  readonly #compiled = new Map<string, Compiled | undefined>();

  constructor(root: unknown) {
    this.#root = root;
  }

  at(pointer: string): Compiled {
    const known = this.#compiled.get(pointer);
    if (known) return known;
    if (this.#compiled.has(pointer))
      throw new SchemaProblem(pointer, "must not refer to itself, directly or through others");
    this.#compiled.set(pointer, undefined);
    const compiled = this.#compile(this.#resolve(pointer), pointer);
    if (compiled.subschemas > MOST_SUBSCHEMAS)
      throw new SchemaProblem(pointer, `has more than ${MOST_SUBSCHEMAS} subschemas, with its references written out`);
    if (compiled.nesting > MOST_NESTING)
      throw new SchemaProblem(pointer, `is nested deeper than ${MOST_NESTING} levels, with its references written out`);
    this.#compiled.set(pointer, compiled);
    return compiled;
  }

  #compile(schema: unknown, pointer: string): Compiled {
    const checks: Check[] = [];
    const all: Compiled = { check: inOrder(checks), subschemas: 1, nesting: 1 };
    if (typeof schema === "boolean") {
      if (!schema) checks.push(() => ({ keys: [], words: "is not allowed" }));
      return all;
    }
    if (!isObject(schema)) throw new SchemaProblem(pointer, "must be an object, true or false");
    const count = (compiled: Compiled): Check => {
      all.subschemas += compiled.subschemas;
      all.nesting = Math.max(all.nesting, compiled.nesting + 1);
      return compiled.check;
    };
    for (const keyword of Object.keys(schema)) {
      const here = pointer + pointerTo([keyword]);
      const rule = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      if (!rule && keyword.startsWith("x-")) continue;
      if (!rule) throw new SchemaProblem(here, "is not a keyword that this service knows");
      const check = rule(schema[keyword], {
        schema,
        isRoot: pointer === "",
        below: (...keys) => count(this.at(here + pointerTo(keys))),
        beside: (other) => this.at(pointer + pointerTo([other])).check,
        referenced: (reference) => count(this.at(pointerOf(reference, here))),
        pattern: (source, ...keys) => {
          const pattern = this.#patterns.compile(source);
          if (typeof pattern === "string") throw new SchemaProblem(here + pointerTo(keys), pattern);
          return pattern;
        },
        refuse(message) {
          throw new SchemaProblem(here, message);
        },
      });
      if (check) checks.push(check);
    }
    return all;
  }

  #resolve(pointer: string): unknown {
    let value = this.#root;
    for (const token of pointer.split("/").slice(1)) {
      const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, key))
        throw new SchemaProblem(pointer, "is referred to, but the schema has no such place");
      value = (value as Record<string, unknown>)[key];
    }
    return value;
  }
}

/** Stops at the first failure. Costs steps even if there is nothing to check, because it may be called for each of many entries. */
const inOrder =
  (checks: readonly Check[]): Check =>
  (value, budget) => {
    budget.spend(1 + 2 * checks.length);
    for (const check of checks) {
      const failure = check(value, budget);
      if (failure) return failure;
    }
    return undefined;
  };

/** The pointer of a reference within the schema, such as `#/$defs/name`. @throws SchemaProblem */
function pointerOf(reference: string, here: string): string {
  if (!/^#(?:\/|$)/.test(reference))
    throw new SchemaProblem(here, "must lead to a place in this schema, such as #/$defs/name");
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    throw new SchemaProblem(here, "must be a JSON Pointer with correct percent-encoding");
  }
}

function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
