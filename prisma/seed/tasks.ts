import type pg from "pg";
import { plantAgreements } from "./agreements.ts";
import { plantHistory } from "./history.ts";
import { plantMessages } from "./messages.ts";
import { inParts, reserve } from "./scratch.ts";

// Every tenth task is open and selected for one of the popular providers, who take turns: the usual inbox holds five. The
// other states are drawn, and times follow from them: a task's life lies between its creation and now.
const BATCH = `
  WITH dice AS MATERIALIZED (
    SELECT i, i % 10 = 3 AS picked, random() AS a, random() AS b, random() AS c, random() AS d, random() AS e, random() AS f, random() AS g,
      random() AS h, now() - interval '5 minutes' - interval '28 days' * (1 - i::float8 / $3) AS created
    FROM generate_series($1::bigint, $2::bigint) i
  ), stated AS (
    SELECT dice.*, (CASE WHEN picked OR a < .39 THEN 'open' WHEN a < .445 THEN 'claimed' WHEN a < .48 THEN 'proposed' WHEN a < .515 THEN 'accepted'
        WHEN a < .57 THEN 'in_progress' WHEN a < .605 THEN 'submitted' WHEN a < .735 THEN 'completed' WHEN a < .835 THEN 'cancelled'
        ELSE 'expired' END)::task_state AS state,
      1 + floor(c * (SELECT count(*) FROM seed_agents))::bigint AS r
    FROM dice
  ), provided AS (
    SELECT stated.*, state NOT IN ('open', 'cancelled', 'expired') AS taken,
      1 + CASE WHEN picked AND a < .9 THEN i / 10 % $5 WHEN picked THEN floor(d * $5)::bigint
        ELSE floor(d * (SELECT count(*) FROM seed_providers))::bigint END AS p
    FROM stated
  ), cast_ AS (
    SELECT v.*, s.n AS sn, s.id AS provider, s.name AS provider_name, w.*, taken OR picked AS known,
      CASE WHEN taken OR picked THEN s.trade ELSE w.trades[1 + floor(b * cardinality(w.trades))::int] END AS k
    FROM provided v JOIN seed_providers s ON s.k = v.p, seed_words w
  ), worded AS (
    SELECT c.*, t.skill, pg_temp.pick(t.asks, e) || ' ' || pg_temp.pick(t.things, f)
        || CASE WHEN g < .4 THEN ' for a client in ' || pg_temp.pick(places, h) ELSE '' END AS title,
      '. There are ' || 2 + floor(g * 400)::int || ' items, collected in ' || pg_temp.pick(places, g) || '. ' || pg_temp.pick(conditions, h) || ' '
        || pg_temp.pick(conditions, a) || ' ' || pg_temp.pick(deliveries, c) AS rest,
      CASE WHEN e < CASE WHEN taken THEN .6 ELSE .15 END THEN 0 ELSE 50 * (1 + floor(f * f * 600)::int) END AS budget
    FROM cast_ c JOIN seed_trades t ON t.k = c.k
  )
  INSERT INTO seed_batch
  SELECT i, pg_temp.seed_id('tsk', $4, i), pg_temp.seed_id('con', $4, i), pg_temp.seed_id('stl', $4, i), q.id, q.name,
    CASE WHEN taken OR picked THEN provider END, provider_name, picked, taken, title, title || rest,
    CASE WHEN known OR b < .92 THEN skill END, budget, CASE WHEN a < .5 THEN budget ELSE budget * 9 / 10 END,
    h < CASE WHEN picked THEN .5 ELSE .85 END, state, created, now() - created, g, h
  FROM worded JOIN seed_agents q ON q.n = CASE WHEN known AND r = sn THEN r % (SELECT count(*) FROM seed_agents) + 1 ELSE r END`;

const TASKS = `
  INSERT INTO tasks (id, seq, requester_id, selected_provider_id, provider_id, title, brief, summary, skill, budget_pence, visibility,
    payment_mode, state, client_request_id, created_at, updated_at, agreed_at, expires_at, result, evidence_hash, conversation_count)
  SELECT id, $1::bigint + i, requester, CASE WHEN picked OR taken AND g < .3 THEN provider END, CASE WHEN taken THEN provider END, title, brief,
    left(brief, 280), skill, budget, (CASE WHEN listed THEN 'listed' ELSE 'unlisted' END)::visibility, 'TEST', state, 'seed-' || id, created,
    created + age * CASE WHEN state = 'open' THEN 0 ELSE .9 END,
    CASE WHEN state IN ('accepted', 'in_progress', 'submitted', 'completed') THEN created + age * .4 END,
    CASE WHEN state = 'expired' THEN created + age * .9 ELSE created + interval '30 days' END,
    CASE WHEN state IN ('submitted', 'completed') THEN 'Done as asked; nothing was left out. ' || title || '.' END,
    CASE WHEN state IN ('submitted', 'completed') AND h < .5 THEN 'sha256:' || encode(sha256(id::bytea), 'hex') END, picked::int
  FROM seed_batch ORDER BY i`;

const SIZE = 10_000;
/** So many of the newest tasks have their steps in the record. */
const WITH_HISTORY = 20_000;

/** Makes `count` tasks in all states, with the agreements, settlements, payments and bookings that their states imply. */
export async function plantTasks(
  clients: pg.Client[],
  salt: string,
  { count, popular }: { count: number; popular: number },
  onProgress: (done: number) => void,
): Promise<void> {
  const [client] = clients;
  if (!client || count === 0) return;
  for (const each of clients) {
    await each.query(`CREATE TEMP TABLE seed_batch (i bigint, id text, contract text, settlement text, requester text, requester_name text,
      provider text, provider_name text, picked boolean, taken boolean, title text, brief text, skill text, budget int, amount int,
      listed boolean, state task_state, created timestamptz, age interval, g float8, h float8) ON COMMIT DELETE ROWS`);
  }
  const lastSeq = await reserve(client, "tasks_seq_seq", count);
  const work = async (each: pg.Client, first: number, last: number) => {
    await each.query("BEGIN");
    await each.query(BATCH, [first, last, count, salt, popular]);
    await each.query(TASKS, [lastSeq]);
    await plantAgreements(each, salt);
    await plantMessages(each, salt);
    await plantHistory(each, salt, count - WITH_HISTORY);
    await each.query("COMMIT");
  };
  await inParts(clients, count, SIZE, work, onProgress);
}
