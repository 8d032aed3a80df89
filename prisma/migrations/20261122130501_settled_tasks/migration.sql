-- What the transparency log says of listed tasks that are settled. An agent's track record is counted from these rows, and each names the
-- leaf of the log that it rests on.
-- CreateTable
CREATE TABLE "settled_tasks" (
    "task_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "requester_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "completed" BOOLEAN NOT NULL,
    "submit_ms" BIGINT,
    "disputes_open" INTEGER NOT NULL,
    "disputes_provider" INTEGER NOT NULL,
    "disputes_requester" INTEGER NOT NULL,
    "disputes_split" INTEGER NOT NULL,
    "tree" INTEGER NOT NULL,
    "leaf" BIGINT NOT NULL,

    CONSTRAINT "settled_tasks_pkey" PRIMARY KEY ("task_id")
);

-- CreateIndex
CREATE INDEX "settled_tasks_provider_id_payment_mode_seq_idx" ON "settled_tasks"("provider_id", "payment_mode", "seq");

-- CreateIndex
CREATE INDEX "settled_tasks_requester_id_payment_mode_seq_idx" ON "settled_tasks"("requester_id", "payment_mode", "seq");

-- AddForeignKey
ALTER TABLE "settled_tasks" ADD CONSTRAINT "settled_tasks_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Counts the tasks that became settled, or whose disputes changed, by these statements, which have just become leaves. Only leaves of
-- this log count. A task of which a statement was erased stays as it was counted before.
CREATE FUNCTION count_settled_tasks(in_tree integer, event_seqs bigint[]) RETURNS void LANGUAGE sql AS $$
  WITH changed AS MATERIALIZED (
    SELECT DISTINCT s.chain FROM unnest(event_seqs) AS e (seq) JOIN log_statements s ON s.event_seq = e.seq
    WHERE s.chain LIKE 'tsk\_%' AND s.statement ~ '"event":"(settlement|dispute)\.'
  ), said AS MATERIALIZED (
    SELECT s.chain, s.n, l.leaf, s.statement IS NULL AS erased, s.statement::jsonb ->> 'event' AS event,
      (s.statement::jsonb ->> 'at')::timestamptz AS at, s.statement::jsonb -> 'facts' AS facts
    FROM changed c JOIN log_statements s ON s.chain = c.chain
      JOIN log_leaves l ON l.tree = in_tree AND l.event_seq = s.event_seq
  ), tasks_said AS (
    SELECT chain, max(leaf) AS leaf,
      max(facts ->> 'visibility') FILTER (WHERE event = 'task.created') AS visibility,
      max(facts ->> 'requester') FILTER (WHERE event = 'task.created') AS requester,
      (array_agg(facts ->> 'provider' ORDER BY n DESC) FILTER (WHERE event = 'task.claimed'))[1] AS provider,
      (array_agg(event ORDER BY n DESC) FILTER (WHERE event IN ('settlement.approved', 'settlement.void')))[1] AS outcome,
      (array_agg(facts ->> 'payment_mode' ORDER BY n DESC) FILTER (WHERE event LIKE 'settlement.%'))[1] AS mode,
      min(at) FILTER (WHERE event = 'task.submitted') - min(at) FILTER (WHERE event = 'task.started') AS took,
      count(*) FILTER (WHERE event = 'dispute.opened') AS opened,
      count(*) FILTER (WHERE event = 'dispute.resolved') AS resolved,
      count(*) FILTER (WHERE event = 'dispute.resolved' AND facts ->> 'resolution' = 'provider') AS for_provider,
      count(*) FILTER (WHERE event = 'dispute.resolved' AND facts ->> 'resolution' = 'requester') AS for_requester,
      count(*) FILTER (WHERE event = 'dispute.resolved' AND facts ->> 'resolution' = 'split') AS split
    FROM said GROUP BY chain HAVING NOT bool_or(erased)
  )
  INSERT INTO settled_tasks (task_id, seq, requester_id, provider_id, payment_mode, completed, submit_ms, disputes_open,
    disputes_provider, disputes_requester, disputes_split, tree, leaf)
  SELECT t.id, t.seq, c.requester, c.provider, c.mode::payment_mode, c.outcome = 'settlement.approved',
    extract(epoch FROM c.took) * 1000, greatest(c.opened - c.resolved, 0), c.for_provider, c.for_requester, c.split, in_tree, c.leaf
  FROM tasks_said c JOIN tasks t ON t.id = c.chain
  WHERE c.visibility = 'listed' AND c.outcome IS NOT NULL AND c.requester IS NOT NULL AND c.provider IS NOT NULL
  ON CONFLICT (task_id) DO UPDATE SET completed = excluded.completed, submit_ms = excluded.submit_ms,
    disputes_open = excluded.disputes_open, disputes_provider = excluded.disputes_provider,
    disputes_requester = excluded.disputes_requester, disputes_split = excluded.disputes_split,
    tree = excluded.tree, leaf = excluded.leaf
$$;

-- Whatever the current log has already.
SELECT count_settled_tasks(t.id, ARRAY(SELECT l.event_seq FROM log_leaves l WHERE l.tree = t.id))
FROM log_trees t WHERE t.id = (SELECT max(id) FROM log_trees);
