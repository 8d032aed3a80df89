// Connections and transactions for statements. What must stay true: nothing is sent on a connection after its transaction has ended, not
// even by work that goes on after an error. `transaction-end.itest.ts` holds it.

/** Runs a query with its values, on whichever connection or transaction the caller works. */
export type QueryFn = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** A connection that its user keeps, for a session or a transaction. */
export type Connection = {
  query<Row extends object>(query: { name?: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
};

/**
 * A connection for as long as one transaction lasts. `end` is called before COMMIT or ROLLBACK is sent: a later statement would run on its
 * own, or in the transaction of the next user of the connection.
 */
export class TransactionConnection implements Connection {
  #connection: Connection | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  query<Row extends object>(query: Parameters<Connection["query"]>[0]): Promise<{ rows: Row[] }> {
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
