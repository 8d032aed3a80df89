import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import type { Connection } from "./connection.ts";
import { PrismaClient } from "./generated/client.ts";

let poolSize = 24;
// No request needs this long: a statement that does is stuck, and its caller is asked to retry.
const STATEMENT_TIMEOUT_MS = 30_000;
// No transaction waits for anything outside the database, so one that is idle this long has lost its caller. It would hold its locks,
// and PostgreSQL could not clean up behind it.
const IDLE_IN_TRANSACTION_MS = 30_000;

// `server.ts` and Next each load their own copy of this module, so the connections are on globalThis.
const shared = globalThis as {
  guildhallPool?: Pool;
  guildhallPrisma?: PrismaClient;
  guildhallOpening?: AsyncLocalStorage<{ connection?: Connection }>;
};

/** Sets the greatest number of connections of this process, before the first is opened. */
export function sizePool(most: number): void {
  poolSize = most;
}

/** The process's connections; `statement` runs on them, and Prisma takes its own from the same pool. */
export function pool(): Pool {
  if (!shared.guildhallPool) {
    shared.guildhallPool = new Pool({
      connectionString: env().databaseUrl,
      max: poolSize,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 60_000,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      application_name: "guildhall",
      // A query is sent while an earlier one of the same transaction is on its way.
      pipeline: true,
    });
    // A connection that breaks is replaced at the next query: it must not end the process, whether idle or in use.
    const lost = (error: Error) => log().warn({ err: error.message }, "database connection lost");
    shared.guildhallPool.on("error", lost);
    shared.guildhallPool.on("connect", (client) => client.on("error", lost));
  }
  return shared.guildhallPool;
}

export function prisma(): PrismaClient {
  shared.guildhallPrisma ??= new PrismaClient({
    adapter: notingConnections(new PrismaPg(pool(), { statementNameGenerator: nameStatement })),
    transactionOptions: { maxWait: 15_000, timeout: 15_000 },
  });
  return shared.guildhallPrisma;
}

/** Where a flow learns the connection of the transaction that it opens. */
export function opening(): AsyncLocalStorage<{ connection?: Connection }> {
  shared.guildhallOpening ??= new AsyncLocalStorage();
  return shared.guildhallOpening;
}

/** Prisma keeps the connection of a transaction to itself. Prepared statements cost a fraction of its queries, so they need it too. */
function notingConnections(factory: PrismaPg): PrismaPg {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel);
      const opened = opening().getStore();
      if (opened) opened.connection = (transaction as unknown as { client: Connection }).client;
      return transaction;
    };
    return adapter;
  };
  return factory;
}

const names = new Map<string, string>();

/** Prisma writes few distinct statements: naming them lets PostgreSQL keep their plans. */
function nameStatement({ sql }: { sql: string }): string {
  let name = names.get(sql);
  if (!name) {
    name = `prisma_${names.size}`;
    names.set(sql, name);
  }
  return name;
}

/** Closes every connection; a later call opens new ones. */
export async function closeDatabase(): Promise<void> {
  await shared.guildhallPrisma?.$disconnect();
  await shared.guildhallPool?.end();
  shared.guildhallPrisma = undefined;
  shared.guildhallPool = undefined;
}
