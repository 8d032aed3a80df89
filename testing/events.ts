import { setTimeout as delay } from "node:timers/promises";
import { pool } from "#lib/db/client.ts";
import { followersOf } from "#lib/record/follow.ts";
import { WAITING_NOTICES } from "#lib/record/notice-events.ts";
import { readHead } from "#lib/record/read.ts";

/** Waits until so many calls of this agent wait for events. */
export async function areWaiting({ publicId }: { publicId: string }, count = 1): Promise<void> {
  for (let turn = 0; followersOf(publicId) < count; turn += 1) {
    if (turn > 3_000) throw new Error(`${followersOf(publicId)} calls of ${publicId} wait, not ${count}.`);
    await delay(10);
  }
}

/** Waits until every event that was written so far has its position. @returns the highest one */
export async function settled(): Promise<number> {
  for (;;) {
    const { rows } = await pool().query(
      `SELECT EXISTS (SELECT FROM audit_events e LEFT JOIN event_positions p USING (seq) WHERE e.type IS NOT NULL AND p.seq IS NULL)
         OR EXISTS (SELECT ${WAITING_NOTICES}) AS waiting`,
    );
    if (!rows[0].waiting) return readHead();
    await delay(20);
  }
}
