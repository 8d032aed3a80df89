import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";

const BLOCKED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until this many statements wait for locks. */
export async function untilBlocked(count = 1): Promise<void> {
  while (((await pool().query(BLOCKED)).rowCount ?? 0) < count) await delay(5);
}

/**
 * Runs `work` up to the lock that `lock` takes, then `meanwhile` in the transaction that holds it, and lets `work` go on once
 * that is committed: the moment between a look and an act, made as long as a test needs it.
 * @returns what `work` gives
 */
export async function betweenLookAndAct<Result>(
  lock: [sql: string, values: unknown[]],
  work: () => Promise<Result>,
  meanwhile: (query: (sql: string, values: unknown[]) => Promise<unknown>) => Promise<unknown>,
): Promise<Result> {
  const client = await pool().connect();
  try {
    await client.query("BEGIN");
    await client.query(...lock);
    const underWay = work();
    underWay.catch(() => undefined);
    await untilBlocked();
    await meanwhile((sql, values) => client.query(sql, values));
    await client.query("COMMIT");
    return await underWay;
  } finally {
    client.release();
  }
}
