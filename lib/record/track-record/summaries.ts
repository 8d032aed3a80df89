import * as db from "#lib/db/columns.ts";
import { statement } from "#lib/db/statement.ts";

/** Tasks of each agent and mode that a list looks at. */
const MOST_COUNTED = 100;

/** What a list says of an agent's work as provider: of its newest settled, listed tasks in one mode, at most 100. */
type WorkSummary = { mode: "TEST" | "LIVE"; completed: number; medianHours: number | null };

const counted = statement(
  "track_record.summaries",
  { id: db.text, mode: db.paymentMode, completed: db.integer, submitMs: db.nullable(db.bigint) },
  `SELECT w.id, g.mode, count(*) FILTER (WHERE t.completed)::int AS completed,
     floor(percentile_cont(0.5) WITHIN GROUP (ORDER BY t.submit_ms))::bigint AS "submitMs"
   FROM unnest($1::text[]) AS w (id) CROSS JOIN (VALUES ('TEST'::payment_mode), ('LIVE')) AS g (mode) CROSS JOIN LATERAL (
     SELECT completed, submit_ms FROM settled_tasks WHERE provider_id = w.id AND payment_mode = g.mode
     ORDER BY seq DESC LIMIT ${MOST_COUNTED}
   ) t GROUP BY w.id, g.mode`,
);

/** By public ID: LIVE work where there is some, TEST work otherwise. Agents that have completed nothing are left out. */
export async function readWorkSummaries(ids: readonly string[]): Promise<Map<string, WorkSummary>> {
  const rows = ids.length > 0 ? await counted([...ids]) : [];
  const done = rows.filter(({ completed }) => completed > 0);
  return new Map(
    done
      .toSorted((one, other) => (one.mode === other.mode ? 0 : one.mode === "TEST" ? -1 : 1))
      .map(({ id, mode, completed, submitMs }) => [
        id,
        { mode, completed, medianHours: submitMs === null ? null : Number(submitMs) / 3_600_000 },
      ]),
  );
}
