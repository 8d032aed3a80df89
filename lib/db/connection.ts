import type { PrismaPg } from "@prisma/adapter-pg";

/** Runs a query with its values, on whichever connection or transaction the caller works. */
export type QueryFn = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** A connection that its user keeps, for a session or a transaction. */
export type Connection = {
  query<Row extends object>(query: {
    name?: string;
    text: string;
    values: unknown[];
    /** Each row as a list of its values, instead of an object. */
    rowMode?: "array";
  }): Promise<Rows<Row>>;
};

type Rows<Row> = { rows: Row[]; fields: { name: string }[] };

/**
 * A connection for as long as one transaction lasts. Whoever ends the transaction calls `end` before sending COMMIT or ROLLBACK: a later
 * statement would run on its own, or in the transaction of whoever has the connection then.
 */
export class TransactionConnection implements Connection {
  #connection: Connection | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  query<Row extends object>(query: Parameters<Connection["query"]>[0]): Promise<Rows<Row>> {
    return this.#connection?.query<Row>(query) ?? Promise.reject(new TransactionEnded());
  }

  end(): void {
    this.#connection = undefined;
  }
}

/** Nothing was sent. `kind` is what Prisma's adapters name the same failure, so that callers are asked to retry. */
class TransactionEnded extends Error {
  readonly kind = "TransactionAlreadyClosed";

  constructor() {
    super("The transaction has ended; this statement was not sent.");
  }
}

/** Its connection is private. */
type AdapterTransaction = Awaited<ReturnType<Awaited<ReturnType<PrismaPg["connect"]>>["startTransaction"]>>;

/**
 * Prisma ends a transaction, also one that has taken too long, by sending COMMIT or ROLLBACK; when that is answered, it calls `commit` or
 * `rollback`, which gives the connection back.
 */
export function connectionWithin(transaction: AdapterTransaction): TransactionConnection {
  const connection = new TransactionConnection((transaction as unknown as { client: Connection }).client);
  const { executeRaw, commit, rollback } = transaction;
  const ending = (end: () => Promise<void>) => () => {
    connection.end();
    return end.call(transaction);
  };
  transaction.executeRaw = (query) => {
    if (query.sql === "COMMIT" || query.sql === "ROLLBACK") connection.end();
    return executeRaw.call(transaction, query);
  };
  transaction.commit = ending(commit);
  transaction.rollback = ending(rollback);
  return connection;
}
