import { hash } from "node:crypto";
import { isPooled, pool } from "./client.ts";
import type { Columns, RowOf } from "./columns.ts";
import type { Connection } from "./connection.ts";
import { askReplica, isPublicRead } from "./replica.ts";

/** A prepared statement, called with the values of `$1`, `$2` and so on. */
export type Statement<Row> = (...values: unknown[]) => Promise<Row[]>;

/** A statement that runs on any connection of the pool (for a visitor who reads, perhaps of the replica's), or `on` a given one. */
type PreparedStatement<Row> = Statement<Row> & {
  on(connection: Connection, ...values: unknown[]): Promise<Row[]>;
};

/** PostgreSQL cuts longer names, so that two of them could become one. */
const MAX_NAME_BYTES = 63;
const DIGEST_CHARACTERS = 8;

/**
 * The name on a connection follows from the text. The service and Next load their own copies of this module, but share connections;
 * variants that are numbered as they are first used would otherwise get the same name for different texts.
 */
export function preparedName(name: string, text: string): string {
  return `${name}.${hash("sha1", text, "hex").slice(0, DIGEST_CHARACTERS)}`;
}

/** Every statement that was declared so far, by name. `statements.itest.ts` compares them with the database. */
export const declared = new Map<string, { columns: Columns; text: string }>();

/**
 * A hand-written statement that PostgreSQL parses and plans once per connection; later calls send only its name and values.
 * @param name unique in the process, at most 54 bytes: a digest of the text is added to it
 * @param columns what each row holds: names as the SQL gives them, with their types; `{}` for a statement that returns no rows
 * @throws Error if the name is taken or too long
 */
export function statement<const C extends Columns>(
  name: string,
  columns: C,
  text: string,
): PreparedStatement<RowOf<C>> {
  const on = declare<RowOf<C>>(name, columns, text);
  const run = (...values: unknown[]) => (isPublicRead() ? read(values) : on(pool(), ...values));
  const read = async (values: unknown[]) =>
    (await askReplica((replica) => on(replica, ...values))) ?? on(pool(), ...values);
  return Object.assign(run, { on });
}

/** Prepares the statement under a name of its own. @returns a function that sends it on a connection, with its values */
function declare<Row>(name: string, columns: Columns, text: string) {
  if (Buffer.byteLength(preparedName(name, text)) > MAX_NAME_BYTES) {
    throw new Error(`The statement name "${name}" is longer than ${MAX_NAME_BYTES - DIGEST_CHARACTERS - 1} bytes.`);
  }
  // A hot reload in development evaluates the same declaration again.
  if (declared.has(name) && process.env.NODE_ENV !== "development") {
    throw new Error(`There are two statements named "${name}".`);
  }
  declared.set(name, { columns, text });
  const prepared = preparedName(name, text);
  const empty = Object.fromEntries(
    Object.entries(columns).map(([column, { constant }]) => [column, constant ? constant.value : null]),
  );
  return async (connection: Connection, ...values: unknown[]): Promise<Row[]> => {
    const { rows } = await connection.query<object>({ ...(isPooled() ? {} : { name: prepared }), text, values });
    // A copy that has all columns from the start takes half as long as adding the constants to the driver's row.
    return rows.map((row) => Object.assign({ ...empty }, row) as Row);
  };
}

/**
 * Statements with the same columns whose text depends on which inputs are given: each variant is prepared when it is first used,
 * so that the planner sees exactly the conditions that apply.
 * @param name prefix of the statements' names
 * @returns a function of the variant and what writes its text, which returns the statement
 */
export function statements<const C extends Columns>(name: string, columns: C) {
  const made = new Map<string, PreparedStatement<RowOf<C>>>();
  return (variant: string, build: () => string): PreparedStatement<RowOf<C>> => {
    let run = made.get(variant);
    if (!run) {
      // A variant may be longer than a name.
      run = statement(`${name}_${made.size + 1}`, columns, build());
      made.set(variant, run);
    }
    return run;
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

  /** Adds a condition under a short name, which identifies the variant of the statement. */
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
