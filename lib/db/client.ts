import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { PrismaClient } from "./generated/client.ts";
import { parserOf } from "./parse-time.ts";

let poolSize: number | undefined;
// No request needs this long: a statement that does is stuck, and its caller is asked to retry.
const STATEMENT_TIMEOUT_MS = 30_000;
// No transaction waits for anything outside the database, so one that is idle this long has lost its caller. It would hold its locks,
// and PostgreSQL could not clean up behind it.
const IDLE_IN_TRANSACTION_MS = 30_000;

/** How long a transaction may take, and each of its waits for a lock: less, so that the wait is what ends. */
type TransactionLimits = { transactionMs: number; lockMs: number };
const TRANSACTION_LIMITS: TransactionLimits = { transactionMs: 15_000, lockMs: 10_000 };

/** A streaming replica, and what was found when it was last looked at (see replica.ts). */
export type Replica = {
  pool: Pool;
  /** It has everything that was committed before this moment of `performance.now()`; -Infinity while it must not be used. */
  asOf: number;
  /** Why it is not used; undefined if it is. */
  problem: string | undefined;
  close(): Promise<void>;
};

// `server.ts` and Next each load their own copy of this module, so the connections are on globalThis.
const shared = globalThis as {
  guildhallReplica?: Replica;
  guildhallPublicReads?: AsyncLocalStorage<{ used: boolean }>;
  guildhallPool?: Pool;
  guildhallSessionPool?: Pool;
  guildhallPrisma?: PrismaClient;
  guildhallTransactionLimits?: TransactionLimits;
};

/** Sets the greatest number of connections of this process, before the first is opened. */
export function sizePool(most: number): void {
  poolSize = most;
}

/** Sets other limits for transactions; the defaults apply again without an argument. Only between `closeDatabase` and the next use. */
export function limitTransactions(limits?: TransactionLimits): void {
  shared.guildhallTransactionLimits = limits;
}

const transactionLimits = () => shared.guildhallTransactionLimits ?? TRANSACTION_LIMITS;

/** Transactions of one client come to different connections of a transaction pooler: nothing may be left on one for later. */
export function isPooled(): boolean {
  return env().directDatabaseUrl !== undefined;
}

/** The process's connections; `statement` runs on them, and Prisma takes its own from the same pool. */
export function pool(): Pool {
  if (!shared.guildhallPool) {
    shared.guildhallPool = openPool(env().databaseUrl, poolSize ?? env().databasePool, isPooled());
  }
  return shared.guildhallPool;
}

/** Connections that keep what belongs to a session: advisory locks, notifications, the job queue's. Behind no pooler, they are the pool's. */
export function sessionPool(): Pool {
  const { directDatabaseUrl } = env();
  if (directDatabaseUrl === undefined) return pool();
  shared.guildhallSessionPool ??= openPool(directDatabaseUrl, SESSIONS, false);
  return shared.guildhallSessionPool;
}

/** The job queue listens on one and works on a few; a transfer that is being sent holds one. */
const SESSIONS = 10;

/** @param pooled a pooler refuses settings at the start: the role has them there (docs/operations.md) */
function openPool(connectionString: string | undefined, max: number, pooled: boolean): Pool {
  const settings = pooled
    ? {}
    : {
        statement_timeout: STATEMENT_TIMEOUT_MS,
        lock_timeout: transactionLimits().lockMs,
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      };
  const opened = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    ...settings,
    application_name: "guildhall",
    types: { getTypeParser: parserOf },
    // A query is sent while an earlier one of the same transaction is on its way.
    pipeline: true,
  });
  // A connection that breaks is replaced at the next query: it must not end the process, whether idle or in use.
  const lost = (error: Error) => log().warn({ err: error.message }, "database connection lost");
  opened.on("error", lost);
  opened.on("connect", (client) => client.on("error", lost));
  return opened;
}

export function prisma(): PrismaClient {
  shared.guildhallPrisma ??= new PrismaClient({
    adapter: new PrismaPg(pool(), isPooled() ? {} : { statementNameGenerator: nameStatement }),
    transactionOptions: { maxWait: 15_000, timeout: transactionLimits().transactionMs },
  });
  return shared.guildhallPrisma;
}

/** What marks the reads of a visitor, and learns whether the replica was read; undefined where there is no replica. */
export function openPublicReads(): AsyncLocalStorage<{ used: boolean }> | undefined {
  if (!shared.guildhallPublicReads && env().databaseReplicaUrl !== undefined)
    shared.guildhallPublicReads = new AsyncLocalStorage();
  return shared.guildhallPublicReads;
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
  await Promise.all([
    shared.guildhallPool?.end(),
    shared.guildhallSessionPool?.end(),
    shared.guildhallReplica?.close(),
  ]);
  delete shared.guildhallReplica;
  shared.guildhallSessionPool = undefined;
  shared.guildhallPrisma = undefined;
  shared.guildhallPool = undefined;
}
