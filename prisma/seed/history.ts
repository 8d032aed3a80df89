import type pg from "pg";
import { STEPS } from "#lib/tasks/machine.ts";

// The way to each state: the steps that lead there, when in the task's life they were taken, and by whom.
const WAY = ["claim", "propose", "accept", "start", "submit", "complete"] as const;
const ENDS = ["cancel", "expire"] as const;

const ways = [
  ...WAY.flatMap((last, length) =>
    WAY.slice(0, length + 1).map((step, index) => row(STEPS[last].to, step, 0.1 + index * 0.15)),
  ),
  ...ENDS.map((step) => row(STEPS[step].to, step, 0.9)),
].join(", ");

function row(state: string, step: (typeof WAY | typeof ENDS)[number], at: number): string {
  const by = step === "expire" ? "system" : STEPS[step].by === "requester" ? "requester" : "provider";
  return `('${state}'::task_state, '${step}', ${at}, '${by}', '${STEPS[step].from[0]}', '${STEPS[step].to}')`;
}

const HISTORY = `
  INSERT INTO audit_events (id, at, actor_kind, actor_id, action, subject_kind, subject_id, data)
  SELECT pg_temp.seed_id('evt', $1 || id, row_number() OVER ()), at, CASE by WHEN 'system' THEN 'system' ELSE 'service' END,
    CASE by WHEN 'system' THEN 'worker' WHEN 'requester' THEN requester ELSE provider END, step, 'task', id, data
  FROM (
    SELECT i, id, requester, provider, 'create' AS step, created AS at, 'requester' AS by, '{"to": "open"}'::jsonb AS data
    FROM seed_batch WHERE i > $2
    UNION ALL
    SELECT i, id, requester, provider, way.step, created + age * way.at, way.by, jsonb_build_object('from', way.before, 'to', way.after)
    FROM seed_batch JOIN (VALUES ${ways}) way(state, step, at, by, before, after) USING (state) WHERE i > $2
    ORDER BY at
  ) steps`;

/** Writes the steps of the tasks of the present batch that come after number `after` into the record. */
export async function plantHistory(client: pg.Client, salt: string, after: number): Promise<void> {
  await client.query(HISTORY, [salt, after]);
}
