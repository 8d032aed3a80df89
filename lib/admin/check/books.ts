import { OBJECT_OF_KEY, type Operation } from "#lib/db/operations.ts";
import { countingCheck } from "./finding.ts";

/** Every transaction sums to zero, and so do the ledger of each payment mode and the debts of providers. */
export const checkLedger = countingCheck(
  "ledger",
  "SELECT count(*)::int AS checked FROM ledger_transactions",
  `SELECT problem FROM (
     SELECT format('Transaction %s has entries that sum to %s pence.', t.id, coalesce(sum(e.amount_pence), 0)) AS problem
     FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.transaction_id = t.id
     GROUP BY t.id HAVING coalesce(sum(e.amount_pence), 0) <> 0 OR count(e.id) < 2
     UNION ALL
     SELECT format('The %s ledger sums to %s pence.', t.payment_mode, sum(e.amount_pence))
     FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
     GROUP BY t.payment_mode HAVING sum(e.amount_pence) <> 0
     UNION ALL
     SELECT format('What was kept for debts of providers differs by %s pence from what it paid for.', sum(amount_pence))
     FROM ledger_entries WHERE account = 'provider_debt' HAVING sum(amount_pence) <> 0
   ) wrong`,
);

/** The step that ends a task also decides about its settlement, in one transaction. */
export const checkSettlements = countingCheck(
  "settlements",
  "SELECT count(*)::int AS checked FROM settlements",
  `SELECT format('The task %s is %s, but its settlement %s is still recorded.', t.id, t.state, s.id) AS problem
   FROM settlements s JOIN tasks t ON t.id = s.task_id WHERE s.state = 'recorded' AND t.state IN ('completed', 'cancelled')`,
);

/** Events have the positions 1, 2, 3 and so on, up to what the feed says, each with its row of the audit trail, recipients and data. */
export const checkPositions = countingCheck(
  "positions",
  "SELECT count(*)::int AS checked FROM event_positions",
  `SELECT problem FROM (
     SELECT format('After position %s comes %s.', before, position) AS problem
     FROM (SELECT position, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before FROM event_positions) p
     WHERE position <> before + 1
     UNION ALL
     SELECT format('The feed ends at position %s, but the last one given is %s.', last_position, highest)
     FROM event_feed, (SELECT coalesce(max(position), 0) AS highest FROM event_positions) p WHERE last_position <> highest
     UNION ALL
     SELECT format('Position %s has no event in the audit trail.', p.position)
     FROM event_positions p WHERE NOT EXISTS (SELECT FROM audit_events e WHERE e.seq = p.seq AND e.type IS NOT NULL)
     UNION ALL
     SELECT format('The event %s does not say for whom it is, or what happened.', id)
     FROM audit_events WHERE type IS NOT NULL AND (recipients IS NULL OR event_data IS NULL)
     UNION ALL
     SELECT format('The notice %s was passed over, but its event is not in the audit trail.', a.seq)
     FROM event_feed, activities a WHERE a.seq <= last_notice AND a.event_seq IS NOT NULL
       AND NOT EXISTS (SELECT FROM audit_events e WHERE e.seq = a.event_seq AND e.id = a.event_id)
   ) wrong`,
);

/** For the key `k` of each operation, what must be there. */
const MADE: Record<Operation, string> = {
  "jobs/create": "SELECT FROM tasks t WHERE t.requester_id = k.actor_id AND t.client_request_id = k.key",
  "jobs/quote": `SELECT FROM quotes q WHERE q.id = ${OBJECT_OF_KEY}`,
  "jobs/order":
    "SELECT FROM tasks t WHERE t.requester_id = k.actor_id AND t.client_request_id = k.key AND t.offer_id IS NOT NULL",
  "jobs/dispute_statement": `SELECT FROM dispute_statements s WHERE s.author_id = k.actor_id AND s.dispute_id = ${OBJECT_OF_KEY}`,
  "jobs/message": `SELECT FROM messages m WHERE m.from_id = k.actor_id AND m.id = ${OBJECT_OF_KEY}`,
  "community/post": `SELECT FROM posts p WHERE p.id = ${OBJECT_OF_KEY}`,
  "payments/intent": `SELECT FROM payments p WHERE p.id = ${OBJECT_OF_KEY}`,
};

/** What was made under each idempotency key, so that a retry gets an answer that is still true. */
export const checkKeys = countingCheck(
  "idempotency_keys",
  "SELECT count(*)::int AS checked FROM idempotency_keys",
  `SELECT format('The key "%s" of %s for %s has no object.', key, actor_id, operation) AS problem FROM idempotency_keys k
   WHERE NOT CASE operation
     ${Object.entries(MADE)
       .map(([operation, made]) => `WHEN '${operation}' THEN EXISTS (${made})`)
       .join("\n     ")}
     ELSE false END`,
);

const orphan = (what: string, from: string, condition: string) =>
  `SELECT ${what} AS problem FROM ${from} WHERE NOT EXISTS (${condition})`;

/** IDs that no foreign key guards: those which name something must name what is there. */
export const checkOrphans = countingCheck(
  "orphans",
  `SELECT ((SELECT count(*) FROM posts) + (SELECT count(*) FROM audit_events WHERE task_id IS NOT NULL)
     + (SELECT count(*) FROM idempotency_keys) + (SELECT count(*) FROM log_statements))::int AS checked`,
  `SELECT problem FROM (
     ${[
       orphan(
         "format('The post %s belongs to the thread %s, which has no first post.', id, thread_id)",
         "posts x",
         "SELECT FROM posts t WHERE t.thread_id = x.thread_id AND t.reply_to IS NULL",
       ),
       orphan(
         "format('The event %s is about the task %s, which does not exist.', id, task_id)",
         "(SELECT * FROM audit_events WHERE task_id IS NOT NULL) x",
         "SELECT FROM tasks t WHERE t.id = x.task_id",
       ),
       orphan(
         "format('The key \"%s\" belongs to %s, which does not exist.', key, actor_id)",
         "idempotency_keys x",
         "SELECT FROM identities i WHERE i.id = x.actor_id UNION ALL SELECT FROM profiles p WHERE p.id = x.actor_id",
       ),
       orphan(
         "format('The log entry of event %s has no event.', event_seq)",
         "log_statements x",
         "SELECT FROM audit_events e WHERE e.seq = x.event_seq",
       ),
     ].join(" UNION ALL ")}
   ) wrong`,
);
