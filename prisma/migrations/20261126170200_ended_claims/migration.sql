-- Step: until when something stopped a party
-- A claim that lapses later than its time, because something stopped a party, does not count against that party.
-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "stopped_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "held_until" TIMESTAMPTZ(3);

CREATE FUNCTION identities_released() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.stopped_until := now();
  RETURN NEW;
END $$;
CREATE TRIGGER identities_released BEFORE UPDATE OF held_at, host_held_at, leaked_at, state ON identities FOR EACH ROW
  WHEN ((OLD.state = 'suspended' OR coalesce(OLD.held_at, OLD.host_held_at, OLD.leaked_at) IS NOT NULL)
    AND NEW.state <> 'suspended' AND coalesce(NEW.held_at, NEW.host_held_at, NEW.leaked_at) IS NULL)
  EXECUTE FUNCTION identities_released();

CREATE FUNCTION tasks_released() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.held_until := now();
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_released BEFORE UPDATE OF held_at ON tasks FOR EACH ROW
  WHEN (OLD.held_at IS NOT NULL AND NEW.held_at IS NULL) EXECUTE FUNCTION tasks_released();

-- Step: claims and work that ended without a result
-- What the transparency log says of listed tasks whose claim lapsed or was dismissed, or whose work was left overdue or given up. Track
-- records count these rows, and each names the leaf of the log that it rests on.
-- CreateTable
CREATE TABLE "unfinished_claims" (
    "tree" INTEGER NOT NULL,
    "leaf" BIGINT NOT NULL,
    "task_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "identity_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "ending" TEXT NOT NULL,

    CONSTRAINT "unfinished_claims_pkey" PRIMARY KEY ("tree", "leaf")
);

-- CreateIndex
CREATE INDEX "unfinished_claims_identity_id_role_payment_mode_seq_idx" ON "unfinished_claims"("identity_id", "role", "payment_mode", "seq");

-- CreateIndex
CREATE INDEX "unfinished_claims_task_id_idx" ON "unfinished_claims"("task_id");

-- AddForeignKey
ALTER TABLE "unfinished_claims" ADD CONSTRAINT "unfinished_claims_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Counts what these statements, which have just become leaves, say of such endings. Whose claim it was is said by the claim before.
CREATE FUNCTION count_unfinished_claims(in_tree integer, event_seqs bigint[]) RETURNS void LANGUAGE sql AS $$
  WITH ended AS MATERIALIZED (
    SELECT s.chain, s.n, l.leaf, s.statement::jsonb ->> 'event' AS event, s.statement::jsonb -> 'facts' AS facts
    FROM unnest(event_seqs) AS e (seq) JOIN log_statements s ON s.event_seq = e.seq
      JOIN log_leaves l ON l.tree = in_tree AND l.event_seq = s.event_seq
    WHERE s.chain LIKE 'tsk\_%' AND s.statement ~ '"event":"task\.(lapsed|dismissed|cancelled)"'
  ), said AS (
    SELECT ended.*, created.facts AS task, claimed.provider,
      CASE event WHEN 'task.lapsed' THEN 'lapsed' WHEN 'task.dismissed' THEN 'dismissed'
        ELSE CASE ended.facts ->> 'step' WHEN 'leave' THEN 'left_overdue' WHEN 'give_up' THEN 'given_up' END END AS ending
    FROM ended CROSS JOIN LATERAL (
      SELECT s.statement::jsonb -> 'facts' AS facts FROM log_statements s WHERE s.chain = ended.chain AND s.n = 1
    ) created CROSS JOIN LATERAL (
      SELECT s.statement::jsonb -> 'facts' ->> 'provider' AS provider FROM log_statements s
      WHERE s.chain = ended.chain AND s.n < ended.n AND s.statement LIKE '%"event":"task.claimed"%' ORDER BY s.n DESC LIMIT 1
    ) claimed
  )
  INSERT INTO unfinished_claims (tree, leaf, task_id, seq, identity_id, role, payment_mode, ending)
  SELECT in_tree, c.leaf, t.id, t.seq, CASE WHEN r.role = 'requester' THEN c.task ->> 'requester' ELSE c.provider END, r.role,
    (c.task ->> 'payment_mode')::payment_mode, c.ending
  FROM said c JOIN tasks t ON t.id = c.chain
    CROSS JOIN LATERAL (SELECT CASE WHEN c.ending = 'lapsed' THEN c.facts ->> 'awaited' ELSE 'provider' END AS role) r
  WHERE c.ending IS NOT NULL AND c.task ->> 'visibility' = 'listed' AND c.facts ->> 'stopped' IS NULL
  ON CONFLICT DO NOTHING
$$;
