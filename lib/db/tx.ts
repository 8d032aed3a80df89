import type { PoolClient } from "pg";
import { pool, prisma } from "./client.ts";
import { type Connection, TransactionConnection } from "./connection.ts";
import { Prisma } from "./generated/client.ts";

// A verb that needs Prisma's models opens its transaction with `transaction`; one that sends hand-written statements only, with
// `lightTransaction`. What both use (the audit trail, locks, steps of a task) takes either, and asks for `connectionOf`.

/** A Prisma client inside one database transaction. */
export type Tx = Prisma.TransactionClient;

/** A transaction for code that needs only statements: Prisma's, or one on a connection alone. */
export type AnyTx = Tx | Connection;

/** Runs `work` in one transaction (READ COMMITTED): all of it happens, or nothing. */
export function transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return prisma().$transaction(work);
}

/** The connection of a transaction, for statements `on` it. It ends with the transaction. */
export function connectionOf(tx: AnyTx): Connection {
  if ("query" in tx) return tx as Connection;
  return {
    async query<Row extends object>({ text, values }: { text: string; values: unknown[] }) {
      const rows = await tx.$queryRawUnsafe<Record<string, unknown>[]>(text, ...values.map((value) => value ?? null));
      for (const row of rows) for (const name in row) row[name] = asTheDriverReads(row[name]);
      return { rows: rows as Row[] };
    },
  };
}

/** Takes an advisory lock (advisory-locks.ts) until the transaction ends. @param id of what it is for, which `$1` in the lock stands for */
export async function takeLock(tx: AnyTx, lock: string, ...id: string[]): Promise<void> {
  await connectionOf(tx).query({ text: `SELECT 1 AS locked FROM pg_advisory_xact_lock(${lock})`, values: id });
}

/** Prisma has types of its own for three of PostgreSQL's. */
function asTheDriverReads(value: unknown): unknown {
  if (typeof value === "bigint" || Prisma.Decimal.isDecimal(value)) return String(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
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
