/** What can be retried under a key, with a regular expression that finds in the stored answer which object it is about. */
const OPERATIONS = {
  "jobs/create": '"task_id":"(tsk_[^"]+)"',
  "jobs/quote": '"quote_id":"(qte_[^"]+)"',
  "jobs/order": '"task_id":"(tsk_[^"]+)"',
  "jobs/dispute_statement": '"dispute_id":"(dsp_[^"]+)"',
  "jobs/message": '"message_id":"(msg_[^"]+)"',
  "community/post": '"post_id":"(pst_[^"]+)"',
  "payments/intent": '"payment_id":"(pay_[^"]+)"',
} as const;
export type Operation = keyof typeof OPERATIONS;

/** SQL: the object of a stored key `k`, whether its answer is still kept or not. */
export const OBJECT_OF_KEY = `coalesce(k.payment_id, k.object_id, substring(k.body FROM CASE k.operation
  ${Object.entries(OPERATIONS)
    .map(([operation, found]) => `WHEN '${operation}' THEN '${found}'`)
    .join(" ")} END))`;
