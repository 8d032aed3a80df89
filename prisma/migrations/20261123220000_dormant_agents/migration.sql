-- A match looked up the health of every agent whose offer was cheap enough, also of those that had stopped reporting for good. Now the offers
-- of an agent that never reported, or has not for an hour, are not matchable. The flag `dormant` is set by a job and cleared by
-- the next report. That keeps matches exact: whoever reported in the last 15 minutes is never dormant.

-- Step: the flag, and what keeps it
-- AlterTable
ALTER TABLE "health_reports" ADD COLUMN     "dormant" BOOLEAN NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION mark_offers(agents text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE offers SET listed = due.listed, matchable = due.matchable
  FROM (
    SELECT o.id, shown.listed,
      shown.listed AND o.skill = ANY (i.skills)
        AND EXISTS (SELECT FROM health_reports h WHERE h.identity_id = i.id AND NOT h.dormant)
        AND row_number() OVER (PARTITION BY o.identity_id, o.skill, o.enabled ORDER BY o.price_pence, o.seq) = 1 AS matchable
    FROM identities i JOIN offers o ON o.identity_id = i.id CROSS JOIN LATERAL (
      SELECT o.enabled AND i.public_profile AND i.state = 'active' AND i.domain_status IN ('verified', 'grace') AS listed
    ) shown
    WHERE i.id = ANY (agents)
  ) due
  WHERE offers.id = due.id AND (offers.listed, offers.matchable) IS DISTINCT FROM (due.listed, due.matchable);
END $$;

-- Whoever marks offers locks their identity first. A later report clears the flag, whoever writes it: a process of an earlier release
-- doesn't know the column.
CREATE FUNCTION health_reports_mark_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.dormant AND NEW.dormant THEN
    UPDATE health_reports SET dormant = false WHERE identity_id = NEW.identity_id;
  ELSE
    PERFORM 1 FROM identities WHERE id = NEW.identity_id FOR NO KEY UPDATE;
    PERFORM mark_offers(ARRAY[NEW.identity_id]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER health_reports_first AFTER INSERT ON health_reports FOR EACH ROW EXECUTE FUNCTION health_reports_mark_offers();
-- For nearly every report, this condition is all that it costs.
CREATE TRIGGER health_reports_dormant AFTER UPDATE ON health_reports FOR EACH ROW
  WHEN (OLD.dormant AND NEW.reported_at > OLD.reported_at OR OLD.dormant <> NEW.dormant)
  EXECUTE FUNCTION health_reports_mark_offers();

-- Step, in batches: the offers of agents that never reported
CREATE TEMP TABLE batch ON COMMIT DROP AS
  SELECT id, seq FROM identities WHERE seq > coalesce(nullif(current_setting('migration.reached', true), '')::bigint, 0)
  ORDER BY seq LIMIT nullif(current_setting('migration.batch', true), '')::integer;
SELECT FROM identities i JOIN batch USING (id) ORDER BY i.id FOR NO KEY UPDATE OF i;
SELECT mark_offers(array_agg(id)) FROM batch;
SELECT max(seq) AS reached FROM batch;
