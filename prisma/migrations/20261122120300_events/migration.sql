-- Formerly: 956a3d9976983e280b0614878905643e882d1989690369b755684346fffcc20c
-- In steps, so that nobody waits long for a table while processes of the first release serve: docs/decisions/migrations-in-steps.md.
-- A row of the audit trail may be an event that agents follow: its wire type, the task it belongs to, whom it is for, and thin
-- data. Earlier rows have no `xid`, so its default comes last.

-- Step: columns and tables
-- AlterTable
ALTER TABLE "audit_events" ADD COLUMN     "event_data" JSONB,
ADD COLUMN     "recipients" TEXT[],
ADD COLUMN     "task_id" TEXT,
ADD COLUMN     "type" TEXT,
ADD COLUMN     "xid" xid8;

-- An event says for whom it is and what happened; other rows of the audit trail say neither.
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_event"
  CHECK (num_nonnulls(type, recipients, event_data) = CASE WHEN type IS NULL THEN 0 ELSE 3 END) NOT VALID;

-- CreateTable
CREATE TABLE "event_positions" (
    "position" BIGINT NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT now(),

    CONSTRAINT "event_positions_pkey" PRIMARY KEY ("position")
);

-- CreateTable
CREATE TABLE "event_recipients" (
    "recipient" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "type" TEXT NOT NULL,

    CONSTRAINT "event_recipients_pkey" PRIMARY KEY ("recipient","position")
);

-- CreateTable
CREATE TABLE "event_feed" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "last_position" BIGINT NOT NULL DEFAULT 0,
    "oldest" BIGINT NOT NULL DEFAULT 0,
    "horizon" xid8 NOT NULL,

    CONSTRAINT "event_feed_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "event_feed" ADD CONSTRAINT "event_feed_one_row" CHECK (id = 1);

-- Numbers must be handed out one by one: a session that keeps some back would give an effect a lower number than its cause.
ALTER SEQUENCE "audit_events_seq_seq" CACHE 1;

-- CreateIndex
CREATE INDEX "audit_events_to_place" ON "audit_events"("xid") WHERE (type IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "event_positions_seq_key" ON "event_positions"("seq");

-- What was recorded before becomes events too, with positions in its order: the next `most` rows after the number `low`, or all. Their
-- recipients are reconstructed from what is known now. Returns the last number; null if there are no more rows.
CREATE FUNCTION place_earlier_events(low bigint, most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  high bigint;
BEGIN
  -- This waits for those who are writing, and others wait for it: no row with a lower number comes later.
  ALTER TABLE audit_events DISABLE TRIGGER audit_events_append_only;
  SELECT max(seq) INTO high FROM (SELECT seq FROM audit_events WHERE seq > low ORDER BY seq LIMIT most) next;
  WITH earlier AS MATERIALIZED (
    SELECT e.seq, s.type, t.id AS task_id,
      ARRAY[t.requester_id, t.selected_provider_id,
        CASE WHEN e.action IN ('claim', 'release') THEN e.actor_id WHEN e.action <> 'create' THEN t.provider_id END] AS recipients,
      jsonb_build_object('state', e.data ->> 'to')
        || jsonb_strip_nulls(jsonb_build_object('from', e.data -> 'from', 'evidence_hash', e.data -> 'evidence_hash')) AS event_data
    FROM audit_events e JOIN tasks t ON t.id = e.subject_id JOIN (VALUES ('create', 'task.created'), ('claim', 'task.claimed'),
      ('release', 'task.released'), ('start', 'task.started'), ('submit', 'task.submitted'),
      ('request_changes', 'task.changes_requested'), ('complete', 'task.completed'), ('cancel', 'task.cancelled'),
      ('annul', 'task.cancelled'), ('expire', 'task.expired')) s(action, type) ON s.action = e.action
    WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'task'
    UNION ALL
    SELECT e.seq, s.type, c.task_id, ARRAY[c.requester_id, c.provider_id],
      jsonb_build_object('contract_id', c.id, 'terms_hash', c.terms_hash)
    FROM audit_events e JOIN contracts c ON c.id = e.subject_id JOIN (VALUES ('propose', 'contract.proposed'),
      ('accept', 'contract.accepted'), ('decline', 'contract.declined')) s(action, type) ON s.action = e.action
    WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'contract'
    UNION ALL
    SELECT e.seq, 'dispute.opened', t.id, ARRAY[t.requester_id, t.selected_provider_id, t.provider_id],
      jsonb_build_object('dispute_id', e.data -> 'dispute_id')
    FROM audit_events e JOIN tasks t ON t.id = e.subject_id WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'task' AND e.action = 'dispute'
    UNION ALL
    SELECT e.seq, 'dispute.resolved', t.id, ARRAY[t.requester_id, t.selected_provider_id, t.provider_id],
      jsonb_build_object('dispute_id', d.id, 'resolution', e.data -> 'resolution')
    FROM audit_events e JOIN disputes d ON d.id = e.subject_id JOIN tasks t ON t.id = d.task_id
    WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'dispute' AND e.action = 'resolve'
    UNION ALL
    SELECT e.seq, s.type, c.task_id, ARRAY[c.requester_id, c.provider_id],
      jsonb_build_object('payment_id', p.id, 'contract_id', c.id, 'payment_mode', p.payment_mode,
        'amount_pence', coalesce(e.data -> 'amount_pence', to_jsonb(p.amount_pence)))
    FROM audit_events e JOIN payments p ON p.id = e.subject_id JOIN contracts c ON c.id = p.contract_id
      JOIN (VALUES ('fund', 'payment.created'), ('payment_succeeded', 'payment.confirmed'), ('payment_too_late', 'payment.confirmed'),
        ('payment_declined', 'payment.declined'), ('payment_expired', 'payment.expired'), ('refund', 'payment.refunded'),
        ('chargeback', 'payment.disputed')) s(action, type) ON s.action = e.action
    WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'payment'
    UNION ALL
    SELECT e.seq, s.type, l.task_id, ARRAY[l.requester_id, l.provider_id],
      jsonb_build_object('settlement_id', l.id, 'contract_id', l.contract_id, 'payment_mode', l.payment_mode)
        || CASE WHEN s.type LIKE 'settlement.%'
          THEN jsonb_build_object('gross_pence', l.gross_pence, 'fee_pence', l.fee_pence, 'net_pence', l.net_pence)
          ELSE jsonb_strip_nulls(jsonb_build_object('amount_pence', coalesce(e.data -> 'amount_pence', to_jsonb(l.net_pence)))) END
    FROM audit_events e JOIN settlements l ON l.id = e.subject_id JOIN (VALUES ('record', 'settlement.recorded'),
      ('approve', 'settlement.approved'), ('void', 'settlement.void'), ('transfer', 'transfer.sent'),
      ('transfer_reversed', 'transfer.reversed'), ('cancel_transfer', 'transfer.failed'), ('payout_paid', 'payout.paid'),
      ('payout_failed', 'payout.failed')) s(action, type) ON s.action = e.action
    WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'settlement'
    UNION ALL
    SELECT e.seq, 'identity.' || CASE e.action WHEN 'domain' THEN e.data ->> 'to' WHEN 'hold' THEN 'held' WHEN 'unhold' THEN 'unheld'
        WHEN 'suspend' THEN 'suspended' ELSE 'restored' END,
      NULL, ARRAY[CASE e.subject_kind WHEN 'profile' THEN 'profile:' ELSE '' END || e.subject_id], '{}'
    FROM audit_events e
    WHERE e.seq > low AND e.seq <= high AND e.subject_kind IN ('identity', 'profile') AND (e.action IN ('hold', 'unhold', 'suspend', 'restore')
      OR e.action = 'domain' AND e.data ->> 'to' IN ('verified', 'grace', 'lapsed'))
    UNION ALL
    SELECT e.seq, 'post.withdrawn', NULL, ARRAY['profile:' || p.author_id], jsonb_build_object('post_id', p.id, 'thread_id', p.thread_id)
    FROM audit_events e JOIN posts p ON p.id = e.subject_id WHERE e.seq > low AND e.seq <= high AND e.subject_kind = 'post' AND e.action = 'withdraw'
  ), changed AS (
    UPDATE audit_events e SET type = earlier.type, task_id = earlier.task_id, event_data = earlier.event_data,
      recipients = ARRAY(SELECT DISTINCT who FROM unnest(earlier.recipients) who WHERE who IS NOT NULL)
    FROM earlier WHERE e.seq = earlier.seq RETURNING e.seq, e.at, e.type, e.recipients
  ), placed AS MATERIALIZED (
    SELECT (SELECT coalesce(max(position), 0) FROM event_positions) + row_number() OVER (ORDER BY seq) AS position, changed.* FROM changed
  ), kept AS (
    INSERT INTO event_positions (position, seq, at) SELECT position, seq, at FROM placed
  )
  INSERT INTO event_recipients (recipient, position, type) SELECT who, position, type FROM placed, unnest(recipients) who;
  ALTER TABLE audit_events ENABLE TRIGGER audit_events_append_only;
  RETURN high;
END $$;

-- Step, in batches: what was recorded before
SELECT place_earlier_events(coalesce(nullif(current_setting('migration.reached', true), '')::bigint, 0),
  nullif(current_setting('migration.batch', true), '')::integer) AS reached;

-- Step: the check of all rows
ALTER TABLE "audit_events" VALIDATE CONSTRAINT "audit_events_event";

-- Step: from here on, new rows are placed by the sequencer
ALTER TABLE "audit_events" ALTER COLUMN "xid" SET DEFAULT pg_current_xact_id();
SELECT place_earlier_events((SELECT coalesce(max(seq), 0) FROM event_positions), NULL);
DROP FUNCTION place_earlier_events(bigint, integer);

INSERT INTO event_feed (last_position, horizon)
SELECT coalesce(max(position), 0), pg_snapshot_xmin(pg_current_snapshot()) FROM event_positions;

-- A position is never given again or taken away.
CREATE TRIGGER event_positions_append_only BEFORE UPDATE OR DELETE ON event_positions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER event_positions_no_truncate BEFORE TRUNCATE ON event_positions EXECUTE FUNCTION refuse_change();
