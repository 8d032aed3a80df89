import type { QueryResultRow } from "pg";
import { MAX_LIMIT } from "#lib/kernel/fields.ts";
import { statement } from "./statement.ts";

/** Above every `seq`. */
export const END = "9223372036854775807";

/**
 * The first rows of an ordered SELECT, as many as the placeholder says: at most one more than a page can hold. The planner takes
 * an unknown LIMIT for a tenth of the table and plans whole-table joins for it, or plans anew in each call: hence the known
 * one inside.
 */
export function firstRows(select: string, placeholder: string): string {
  return `SELECT * FROM (${select} LIMIT ${MAX_LIMIT + 1}) bounded LIMIT ${placeholder}`;
}

/**
 * A list whose WHERE depends on which filters are given: each combination becomes a prepared statement of its own, made
 * once, so that the planner sees exactly the conditions that hold and takes the index made for them.
 * @param name prefix of the statements' names
 * @param build the SQL for a combination; `$n` count the values that `run` receives
 */
export function listing<Row extends QueryResultRow>(name: string) {
  const made = new Map<string, (...values: unknown[]) => Promise<Row[]>>();
  return (variant: string, build: () => string, values: unknown[]): Promise<Row[]> => {
    let run = made.get(variant);
    if (!run) {
      run = statement<Row>(`${name}:${variant}`, build());
      made.set(variant, run);
    }
    return run(...values);
  };
}

/** Collects the conditions of a query with their values. */
export class Conditions {
  readonly parts: string[] = [];
  readonly values: unknown[] = [];
  #names: string[] = [];

  /** Adds a value and returns its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** Adds a condition under a short name that stands for it in the statement's name. */
  add(name: string, sql: string): void {
    this.#names.push(name);
    this.parts.push(sql);
  }

  /** `WHERE …`, or nothing. */
  get where(): string {
    return this.parts.length > 0 ? `WHERE ${this.parts.join(" AND ")}` : "";
  }

  get variant(): string {
    return this.#names.join("+") || "all";
  }
}
