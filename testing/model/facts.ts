import assert from "node:assert/strict";
import { pool } from "#lib/db/client.ts";
import { balances } from "./books.ts";
import { stateOf } from "./rules.ts";
import type { Stage } from "./stage.ts";
import { type ModelTask, openDispute, type World } from "./world.ts";

const FACTS = `
  SELECT t.id, t.provider_id AS provider, t.selected_provider_id AS selected, t.held_at IS NOT NULL AS held,
    CASE WHEN t.state = 'open' AND t.expires_at <= now() THEN 'expired' ELSE t.state::text END AS state,
    s.state AS settlement, s.funding, s.transfer, s.gross_pence AS gross, s.awarded_pence AS awarded,
    (SELECT i.amount_pence FROM transfer_intents i WHERE i.settlement_id = s.id AND i.state = 'queued') AS open,
    (SELECT d.id FROM disputes d WHERE d.task_id = t.id AND d.state = 'open') AS dispute,
    ARRAY(SELECT q.id || ' ' || q.state FROM quotes q WHERE q.task_id = t.id ORDER BY q.seq) AS quotes,
    ARRAY(SELECT c.state::text FROM contracts c WHERE c.task_id = t.id) AS contracts, s.id AS group,
    ARRAY(SELECT json_build_array(p.id, p.status, p.refunded_pence, p.disputed_pence, p.stripe_session_id)
      FROM payments p JOIN contracts c ON c.id = p.contract_id WHERE c.task_id = t.id) AS payments,
    coalesce((SELECT jsonb_object_agg(account, pence) FROM (
      SELECT CASE WHEN e.account IN ('stripe_fees', 'dispute_fees') THEN 'cash' ELSE e.account::text END AS account,
        sum(e.amount_pence)::int AS pence FROM ledger_transactions l JOIN ledger_entries e ON e.transaction_id = l.id
      WHERE l.settlement_id = s.id GROUP BY 1 HAVING sum(e.amount_pence) <> 0) sums), '{}') AS ledger
  FROM tasks t LEFT JOIN settlements s ON s.task_id = t.id WHERE t.id = ANY ($1)`;

/** How many ledger transactions do not sum to zero, what all entries sum to, and how many tasks there are. */
const WHOLE = `
  SELECT count(*) FILTER (WHERE pence <> 0)::int AS unbalanced, coalesce(sum(pence), 0)::int AS total,
    (SELECT count(*)::int FROM tasks) AS tasks,
    (SELECT count(*)::int FROM money_acts WHERE state IN ('queued', 'sending')) AS unanswered
  FROM (SELECT sum(amount_pence) AS pence FROM ledger_entries GROUP BY transaction_id) sums`;

type Payment = [id: string, status: string, refundedPence: number, disputedPence: number, session: string | null];
type Row = { id: string; group: string | null; contracts: string[]; payments: Payment[] };

/** Checks that database and Stripe have exactly the model's tasks, as the model has them, and that the ledger balances. */
export async function compare(world: World, { live, agents, earlierTasks }: Stage): Promise<void> {
  const [facts, whole] = await Promise.all([
    pool().query<Row>(FACTS, [world.tasks.map(({ id }) => id)]),
    pool().query(WHOLE),
  ]);
  const unanswered = world.tasks.filter(({ settlement }) => (settlement?.returningPence ?? 0) > 0).length;
  assert.deepEqual(whole.rows[0], { unbalanced: 0, total: 0, unanswered, tasks: earlierTasks + world.tasks.length });
  const { sessions, transfers } = live.stripe.world;
  const sent = Map.groupBy(transfers.values(), ({ transfer_group: group }) => group);
  const rows = facts.rows.map(({ group, contracts, payments, ...row }) => ({
    ...row,
    contracts: contracts.sort(),
    payments: payments
      .map(([id, status, refunded, disputed, session]) => {
        const checkout = session ? sessions.get(session)?.status : "none";
        return `${id} ${status} ${refunded} ${disputed} ${checkout === "complete" ? "paid" : checkout}`;
      })
      .sort(),
    atStripe: (group === null ? [] : (sent.get(group) ?? [])).map((each) => [each.amount, each.amount_reversed]),
  }));
  const byId = new Map(rows.map((row) => [row.id, row]));
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
    payments: task.payments
      .map(({ id, status, known: { refundedPence, disputedPence }, checkout }) =>
        [id, status, refundedPence, disputedPence, checkout].join(" "),
      )
      .sort(),
    ledger: balances(task),
    awarded: settlement?.awardedPence ?? null,
    open: settlement?.open?.pence ?? null,
    atStripe: settlement?.sent.map(({ pence, reversedPence }) => [pence, reversedPence]) ?? [],
  };
}
