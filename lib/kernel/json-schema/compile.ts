import { type Check, isObject, type Schema, SchemaProblem } from "./check.ts";
import { KEYWORDS } from "./keywords.ts";
import { Patterns } from "./pattern.ts";

/** Bounds of a schema in which every local reference is written out in full. */
const MOST_SUBSCHEMAS = 1_000;
const MOST_NESTING = 64;

type Compiled = { check: Check; subschemas: number; nesting: number };

/**
 * Makes a schema (JSON Schema 2020-12) ready to check values. It is meant for schemas by strangers: nothing is fetched or evaluated
 * as code, references lead only into the schema itself and never in a circle, and the schema's size is bounded with all references
 * written out.
 * @throws SchemaProblem
 */
export function compileSchema(root: Schema): Check {
  return new Compiler(root).at("").check;
}

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
    if (typeof schema === "boolean") {
      // A step, although nothing is looked at: a caller may check each of many entries.
      const check: Check = (_value, place, budget) => {
        budget.spend(1);
        return schema ? undefined : { place, words: "is not allowed" };
      };
      return { check, subschemas: 1, nesting: 1 };
    }
    if (!isObject(schema)) throw new SchemaProblem(pointer, "must be an object, true or false");
    const all = { subschemas: 1, nesting: 1 };
    const count = (compiled: Compiled): Check => {
      all.subschemas += compiled.subschemas;
      all.nesting = Math.max(all.nesting, compiled.nesting + 1);
      return compiled.check;
    };
    const checks = Object.keys(schema).flatMap((keyword): Check[] => {
      const here = `${pointer}/${escapeKey(keyword)}`;
      const rule = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      if (!rule && keyword.startsWith("x-")) return [];
      if (!rule) throw new SchemaProblem(here, "is not a keyword that this service knows");
      const check = rule(schema[keyword], {
        schema,
        isRoot: pointer === "",
        below: (...keys) => count(this.at([here, ...keys.map((key) => escapeKey(String(key)))].join("/"))),
        beside: (other) => count(this.at(`${pointer}/${other}`)),
        referenced: (reference) => count(this.at(pointerOf(reference, here))),
        pattern: (source, ...keys) => {
          const pattern = this.#patterns.compile(source);
          if (typeof pattern !== "string") return pattern;
          throw new SchemaProblem([here, ...keys.map(escapeKey)].join("/"), pattern);
        },
        refuse(message) {
          throw new SchemaProblem(here, message);
        },
      });
      return check ? [check] : [];
    });
    const check: Check = (value, place, budget) => {
      budget.spend(2 + 2 * checks.length);
      for (const each of checks) {
        const failure = each(value, place, budget);
        if (failure) return failure;
      }
      return undefined;
    };
    return { check, ...all };
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

const escapeKey = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
