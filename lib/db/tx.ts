import type { PoolClient } from "pg";
import { opening, pool, prisma } from "./client.ts";
import { type Connection, TransactionConnection } from "./connection.ts";
import type { Prisma } from "./generated/client.ts";

/** A Prisma client inside one database transaction. */
export type Tx = Prisma.TransactionClient;

/** A transaction for whoever needs only prepared statements: Prisma's, or one on a connection alone. */
export type AnyTx = Tx | Connection;

const connections = new WeakMap<AnyTx, Connection>();

/** Runs `work` in one transaction (READ COMMITTED): all of it happens, or nothing. */
export function transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const opened: { connection?: TransactionConnection } = {};
  return opening().run(opened, () =>
    prisma().$transaction((tx) => {
      if (opened.connection) connections.set(tx, opened.connection);
      return work(tx);
    }),
  );
}

/** The connection of a transaction, for prepared statements `on` it. It ends with the transaction. */
export function connectionOf(tx: AnyTx): Connection {
  const connection = connections.get(tx) ?? ("query" in tx ? (tx as Connection) : undefined);
  if (!connection) throw new Error("This transaction was not opened by `transaction`.");
  return connection;
}

/**
 * The same for work that needs only prepared statements. It costs a fraction of Prisma's, and what `work` sends first travels together
 * with BEGIN.
 */
export async function lightTransaction<Result>(work: (tx: Connection) => Promise<Result>): Promise<Result> {
  const client = await pool().connect();
  const connection = new TransactionConnection(client);
  let broken: Error | undefined;
  try {
    const [, result] = await Promise.all([client.query("BEGIN"), work(connection)]);
    connection.end();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    connection.end();
    broken = await rollBack(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** @returns the error for which the connection cannot be used again */
async function rollBack(client: PoolClient): Promise<Error | undefined> {
  return client.query("ROLLBACK").then(
    () => undefined,
    (lost: Error) => lost,
  );
}
