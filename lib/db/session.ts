import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { env } from "#lib/kernel/env.ts";
import { log } from "#lib/kernel/log.ts";
import { onceEach } from "#lib/kernel/once-each.ts";
import type { Connection } from "./connection.ts";

/** A connection of its own, for what belongs to a database session: advisory locks, settings and notifications. */
export type Session = Connection;

type Use = {
  /** What the session does while it lives; the session ends with it. It is called again whenever there is a new session. */
  work(session: Session, signal: AbortSignal): Promise<void>;
  /** The channel to listen to, from before `work` is called. */
  channel: string;
  onNotification(payload: string): void;
  /** How long an answer may take, if not QUERY_TIMEOUT_MS. */
  queryTimeoutMs?: number;
};

const STATEMENT_TIMEOUT_MS = 30_000;
/** Longer than any statement may take: without an answer by then, the server or the network is gone. */
const QUERY_TIMEOUT_MS = 35_000;
const KEEP_ALIVE_MS = 5_000;
const RECONNECT_MS = 500;

// The server closes a session whose process is stuck, or whose machine is gone, and so frees its locks for another process.
const OPENING = `SELECT set_config('idle_session_timeout', '15s', false),
  set_config('idle_in_transaction_session_timeout', '15s', false), set_config('tcp_keepalives_idle', '5', false),
  set_config('tcp_keepalives_interval', '2', false), set_config('tcp_keepalives_count', '5', false)`;

/**
 * Keeps one session open until it is stopped, and opens another whenever it is lost.
 * @returns what stops it; it waits until `work` has ended
 */
export function keepSession(use: Use): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = keepOpen(use, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

async function keepOpen(use: Use, stopping: AbortSignal): Promise<void> {
  const report = onceEach((err) => log().warn({ err }, "the session of the record was lost"));
  while (!stopping.aborted) {
    await live(use, stopping).then(
      () => report(),
      (error: unknown) => stopping.aborted || report(error),
    );
    await pause(RECONNECT_MS, stopping);
  }
}

async function live(
  { work, channel, onNotification, queryTimeoutMs = QUERY_TIMEOUT_MS }: Use,
  stopping: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: env().directDatabaseUrl ?? env().databaseUrl,
    application_name: `guildhall record ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  const ending = new AbortController();
  const end = () => ending.abort();
  client.on("error", end);
  client.on("end", end);
  client.on("notification", ({ payload }) => onNotification(payload ?? ""));
  stopping.addEventListener("abort", end);
  const session: Session = {
    query: (query) =>
      client.query(query).catch((error: unknown) => {
        // Whatever the server itself does not say means that it can't be reached: the session ends, and another begins.
        if (!(error instanceof pg.DatabaseError)) end();
        throw error;
      }),
  };
  try {
    await client.connect();
    await client.query(OPENING);
    await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    await work(session, ending.signal);
  } finally {
    stopping.removeEventListener("abort", end);
    await client.end().catch(() => undefined);
  }
}

/** Waits; an abort ends the wait early. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
