/*
 * The record: every event has a place in one order, and agents follow it.
 *
 * A verb writes an event as a row of the audit trail, in its own transaction, with its recipients (`audit` in `lib/db/audit.ts`); of
 * answers and mentions it writes notices, and the sequencer the rows.
 * The sequencer, which runs in one process at a time, then gives the row its position: 1, 2, 3 and so on, without gaps, in an order
 * in which an effect never stands before its cause.
 *
 * For others:
 * - `readEvents(recipients, { after, types, limit })` in `read.ts` → `{ events, nextAfter, hasMore }`. `recipientsOf` gives
 *   the recipients of a credential.
 * - `onPositions(listener)` in `tail.ts`: `listener(head)` is called in every process soon after new positions were given (once a
 *   batch), and after a lost connection was replaced. `head` is the highest position. Returns what ends it.
 * - `onEvents(listener)` in `tail.ts`: the same with the events themselves and their recipients, in order and without gaps,
 *   read once for all listeners of the process.
 */
import { keepSession } from "#lib/db/session.ts";
import { admitFollowers, endFollowers } from "./follow.ts";
import { keepEntering } from "./log/entry-loop.ts";
import { sequence } from "./sequence.ts";
import { CHANNEL, catchUp, closeTail, expectTail, heard } from "./tail.ts";

/**
 * Starts this process's part of the record: it listens for new events. While it holds the sequencer's lock, it gives positions and enters
 * statements in the transparency log.
 * @returns what stops it, and hands the lock on
 */
export function startRecord(): { stop(): Promise<void> } {
  expectTail();
  admitFollowers();
  const session = keepSession({
    channel: CHANNEL,
    onNotification: heard,
    async work(session, signal) {
      await catchUp();
      const entering = keepEntering();
      try {
        await sequence(session, signal, entering.wake);
      } finally {
        await entering.stop();
      }
    },
  });
  return {
    async stop() {
      endFollowers();
      await session.stop();
      closeTail();
    },
  };
}
