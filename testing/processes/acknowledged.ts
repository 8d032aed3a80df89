import { setTimeout as delay } from "node:timers/promises";
import { withClient } from "../with-client.ts";
import type { Writers } from "../writers.ts";

/** In the order in which a task comes to them. */
const STATES = ["open", "claimed", "proposed", "accepted", "in_progress", "submitted", "completed"];

type Row = { key: string; state: string; accepted: boolean; funded: boolean; paid: boolean };

/** What must be there once a write was acknowledged. */
const PROOFS: Record<string, (row: Row) => boolean> = {
  create: () => true,
  claim: ({ state }) => STATES.indexOf(state) >= 1,
  propose: ({ state }) => STATES.indexOf(state) >= 2,
  accept_requester: ({ accepted }) => accepted,
  accept_provider: ({ state }) => STATES.indexOf(state) >= 3,
  fund: ({ funded }) => funded,
  confirm: ({ paid }) => paid,
  start: ({ state }) => STATES.indexOf(state) >= 4,
  submit: ({ state }) => STATES.indexOf(state) >= 5,
  complete: ({ state }) => STATES.indexOf(state) >= 6,
};

/** The acknowledged writes that a database knows nothing of, and how many tasks it has. */
export async function compareWrites(url: string, all: readonly Writers[]): Promise<{ lost: string[]; tasks: number }> {
  const { rows } = await withClient(url, (client) =>
    client.query<Row>(
      `SELECT t.client_request_id AS key, t.state, coalesce(bool_or(c.requester_accepted_at IS NOT NULL), false) AS accepted,
       count(p.id) > 0 AS funded, coalesce(bool_or(p.status = 'succeeded'), false) AS paid
     FROM tasks t LEFT JOIN contracts c ON c.task_id = t.id LEFT JOIN payments p ON p.contract_id = c.id GROUP BY t.id`,
    ),
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const acknowledged = all.flatMap((writers) => writers.acknowledged);
  const lost = acknowledged.filter(({ flow, verb }) => {
    const row = byKey.get(flow);
    return !row || !PROOFS[verb]?.(row);
  });
  return { lost: lost.map(({ flow, verb }) => `${flow} ${verb}`), tasks: rows.length };
}

/** Waits until every event has its position. */
export async function allPlaced(url: string): Promise<void> {
  const waiting = `SELECT FROM audit_events e
    WHERE e.type IS NOT NULL AND NOT EXISTS (SELECT FROM event_positions p WHERE p.seq = e.seq)`;
  await withClient(url, async (client) => {
    while ((await client.query(waiting)).rowCount) await delay(100);
  });
}
