import type pg from "pg";

/** Messages about each task that is selected for a provider. */
const EACH = 10;

// Requester and provider take turns, and both have read everything.
const CONVERSATIONS = `
  INSERT INTO conversations (task_id, other_id, length, last_by_id, unanswered, last_at, read_by_requester, read_by_other)
  SELECT id, provider, ${EACH}, provider, 1, created + interval '4 minutes', ${EACH}, ${EACH} FROM seed_batch WHERE picked`;

const MESSAGES = `
  INSERT INTO messages (id, task_id, other_id, number, seq, from_id, body, created_at)
  SELECT pg_temp.seed_id('msg', $1, i * ${EACH} + number), id, provider, number, number, CASE number % 2 WHEN 1 THEN requester ELSE provider END,
    CASE number % 2 WHEN 1 THEN 'How far are you with this: ' || title || '?' ELSE 'Not yet. I need another day.' END,
    created + number * interval '20 seconds'
  FROM seed_batch, generate_series(1, ${EACH}) AS number WHERE picked`;

/** What the parties of the tasks of a batch wrote to each other. */
export async function plantMessages(client: pg.Client, salt: string): Promise<void> {
  await client.query(CONVERSATIONS);
  await client.query(MESSAGES, [salt]);
}
