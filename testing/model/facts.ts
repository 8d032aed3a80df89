import assert from "node:assert/strict";
import { pool } from "#lib/db/client.ts";
import { stateOf } from "./rules.ts";
import type { Stage } from "./stage.ts";
import { type ModelTask, openDispute, type World } from "./world.ts";

const FACTS = `
  SELECT t.id, t.provider_id AS provider, t.selected_provider_id AS selected, t.held_at IS NOT NULL AS held,
    CASE WHEN t.state = 'open' AND t.expires_at <= now() THEN 'expired' ELSE t.state::text END AS state,
    s.state AS settlement, s.funding, s.transfer, s.gross_pence AS gross,
    (SELECT d.id FROM disputes d WHERE d.task_id = t.id AND d.state = 'open') AS dispute,
    ARRAY(SELECT q.id || ' ' || q.state FROM quotes q WHERE q.task_id = t.id ORDER BY q.seq) AS quotes,
    ARRAY(SELECT c.state::text FROM contracts c WHERE c.task_id = t.id ORDER BY 1) AS contracts,
    ARRAY(SELECT p.id || ' ' || p.status FROM payments p JOIN contracts c ON c.id = p.contract_id
      WHERE c.task_id = t.id ORDER BY p.created_at, p.id) AS payments
  FROM tasks t LEFT JOIN settlements s ON s.task_id = t.id WHERE t.id = ANY ($1)`;

/** Checks that the database has exactly the model's tasks, as the model has them. */
export async function compare(world: World, { agents, earlierTasks }: Stage): Promise<void> {
  const [facts, all] = await Promise.all([
    pool().query(FACTS, [world.tasks.map(({ id }) => id)]),
    pool().query("SELECT count(*)::int AS count FROM tasks"),
  ]);
  assert.equal(all.rows[0].count, earlierTasks + world.tasks.length);
  const byId = new Map(facts.rows.map((row) => [row.id, row]));
  for (const task of world.tasks) assert.deepEqual(byId.get(task.id), expected(task, agents));
}

function expected(task: ModelTask, agents: Stage["agents"]) {
  const { settlement } = task;
  return {
    id: task.id,
    provider: task.provider && agents[task.provider].publicId,
    selected: task.selected && agents[task.selected].publicId,
    quotes: task.quotes.map(({ id, state }) => `${id} ${state}`),
    held: task.held,
    state: stateOf(task),
    settlement: settlement?.state ?? null,
    funding: settlement?.funding ?? null,
    transfer: settlement?.transfer ?? null,
    gross: settlement?.grossPence ?? null,
    dispute: openDispute(task)?.id ?? null,
    contracts: task.contracts.map(({ state }) => state).sort(),
    payments: task.payments.map(({ id, status }) => `${id} ${status}`),
  };
}
