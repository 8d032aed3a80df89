import { isPooled, pool } from "#lib/db/client.ts";
import type { Connection, QueryFn } from "#lib/db/connection.ts";
import { preparedName } from "#lib/db/statement.ts";
import { lightTransaction } from "#lib/db/tx.ts";

const names = new Map<string, string>();

/** The log has few distinct texts, and each is prepared once per connection. */
function nameOf(text: string): string {
  const name = names.get(text) ?? preparedName("log", text);
  names.set(text, name);
  return name;
}

function queryOn(connection: Connection): QueryFn {
  return async <Row extends object>(text: string, values: unknown[] = []) =>
    (await connection.query<Row>(isPooled() ? { text, values } : { name: nameOf(text), text, values })).rows;
}

/** One query on any connection. */
export const query: QueryFn = (text, values) => queryOn(pool())(text, values);

/** Runs `work` in one transaction. */
export function inTransaction<Result>(work: (query: QueryFn) => Promise<Result>): Promise<Result> {
  return lightTransaction((tx) => work(queryOn(tx)));
}
