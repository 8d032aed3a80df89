import { env } from "#lib/kernel/env.ts";
import { MAX_LAG_MS } from "./replica.ts";

// A client must see what it has just written. Pages that visitors share, and reads from a replica, may be older than that.

/** As long as the replica may lack a write, and a second more for a page that visitors share. */
const RECENT_MS = MAX_LAG_MS + 2_000;
/** Addresses that are remembered. With more, everybody counts as a recent writer for a while where there is a replica. */
const MOST = 20_000;

// The service and Next load their own copies of this module.
const shared = globalThis as { guildhallWriters?: { at: Map<string, number>; fullUntil: number } };

function writers() {
  shared.guildhallWriters ??= { at: new Map(), fullUntil: 0 };
  return shared.guildhallWriters;
}

/** Notes that something was written for this address by this process. */
export function noteWrite(address: string): void {
  const { at } = writers();
  const now = performance.now();
  at.delete(address);
  at.set(address, now);
  // In the order of their writes.
  for (const [oldest, wrote] of at) {
    if (now - wrote < RECENT_MS && at.size <= MOST) return;
    if (now - wrote < RECENT_MS) writers().fullUntil = now + RECENT_MS;
    at.delete(oldest);
  }
}

/** When this address last wrote, in `performance.now()`; -Infinity if it is not known to have written. */
export function lastWriteOf(address: string): number {
  return writers().at.get(address) ?? Number.NEGATIVE_INFINITY;
}

/** Whether this address has written so lately that a replica, or a page that was made from it, may lack it. */
export function hasJustWritten(address: string): boolean {
  if (env().databaseReplicaUrl === undefined) return false;
  const now = performance.now();
  return now < writers().fullUntil || now - lastWriteOf(address) < RECENT_MS;
}
