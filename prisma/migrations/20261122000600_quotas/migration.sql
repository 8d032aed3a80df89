-- Quotas of identities, and flags on offers so that lists and matches read only what they can show.

-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "offer_quota" INTEGER,
ADD COLUMN     "task_quota" INTEGER;

-- AlterTable
ALTER TABLE "offers" ADD COLUMN     "listed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "matchable" BOOLEAN NOT NULL DEFAULT false;

-- Whoever changes an offer locks its identity first. An offer that changes while its identity changes, or while another
-- offer of the same identity does, waits for it and is then marked by what has been committed.
CREATE FUNCTION mark_offers(agents text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE offers SET listed = due.listed, matchable = due.matchable
  FROM (
    SELECT o.id, shown.listed,
      shown.listed AND o.skill = ANY (i.skills)
        AND row_number() OVER (PARTITION BY o.identity_id, o.skill, o.enabled ORDER BY o.price_pence, o.seq) = 1 AS matchable
    FROM identities i JOIN offers o ON o.identity_id = i.id CROSS JOIN LATERAL (
      SELECT o.enabled AND i.public_profile AND i.state = 'active' AND i.domain_status IN ('verified', 'grace') AS listed
    ) shown
    WHERE i.id = ANY (agents)
  ) due
  WHERE offers.id = due.id AND (offers.listed, offers.matchable) IS DISTINCT FROM (due.listed, due.matchable);
END $$;

-- Before the triggers and the indexes exist: each row is written once.
SELECT mark_offers(array_agg(id)) FROM identities;

CREATE FUNCTION identities_mark_offers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_offers(ARRAY[NEW.id]);
  RETURN NULL;
END $$;
CREATE TRIGGER identities_mark_offers AFTER UPDATE OF public_profile, state, domain_status, skills ON identities FOR EACH ROW
  WHEN ((OLD.public_profile, OLD.state, OLD.domain_status, OLD.skills)
    IS DISTINCT FROM (NEW.public_profile, NEW.state, NEW.domain_status, NEW.skills))
  EXECUTE FUNCTION identities_mark_offers();

-- After the statement, so that a statement over many offers marks them all at once, and one that only marks ends here.
CREATE FUNCTION offers_mark() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agents text[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    agents := ARRAY(SELECT DISTINCT identity_id FROM after_rows);
  ELSIF TG_OP = 'DELETE' THEN
    agents := ARRAY(SELECT DISTINCT identity_id FROM before_rows);
  ELSE
    agents := ARRAY(
      SELECT DISTINCT side.identity_id FROM before_rows b JOIN after_rows a ON a.id = b.id
        CROSS JOIN LATERAL (VALUES (b.identity_id), (a.identity_id)) side (identity_id)
      WHERE (b.identity_id, b.skill, b.price_pence, b.enabled) IS DISTINCT FROM (a.identity_id, a.skill, a.price_pence, a.enabled));
  END IF;
  IF cardinality(agents) > 0 THEN
    PERFORM 1 FROM identities WHERE id = ANY (agents) ORDER BY id FOR NO KEY UPDATE;
    PERFORM mark_offers(agents);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER offers_mark_new AFTER INSERT ON offers REFERENCING NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION offers_mark();
CREATE TRIGGER offers_mark_changed AFTER UPDATE ON offers REFERENCING OLD TABLE AS before_rows NEW TABLE AS after_rows
  FOR EACH STATEMENT EXECUTE FUNCTION offers_mark();
CREATE TRIGGER offers_mark_deleted AFTER DELETE ON offers REFERENCING OLD TABLE AS before_rows
  FOR EACH STATEMENT EXECUTE FUNCTION offers_mark();

-- DropIndex
DROP INDEX "offers_by_price";

-- DropIndex
DROP INDEX "offers_enabled";

-- DropIndex
DROP INDEX "offers_search_idx";

-- CreateIndex
CREATE INDEX "offers_by_price" ON "offers"("skill", "price_pence", "seq") WHERE (matchable);

-- CreateIndex
CREATE INDEX "offers_enabled" ON "offers"("seq") WHERE (listed);

-- CreateIndex
CREATE INDEX "offers_listed_by_skill" ON "offers"("skill", "seq") WHERE (listed);

-- CreateIndex
CREATE INDEX "offers_search_idx" ON "offers" USING GIN ("search") WHERE (listed);

-- "Open" is the first of the states. Written like this, the condition belongs to no other index: for a requester with few tasks
-- the planner would else read all open tasks through "tasks_expiring".
-- CreateIndex
CREATE INDEX "tasks_open_by_requester" ON "tasks"("requester_id") WHERE (state <= 'open');

-- How many more tasks a requester may open. Called by the statement that opens one, so that the lock lasts until its commit;
-- each query in here sees what has been committed by then, because the function is volatile.
--
-- With `alone`, or where the quota is small, the caller is the only one who opens a task of this requester: the count is exact.
-- Otherwise it shares the lock with others who open one at the same moment. There are at most max_connections of those, so that
-- many places are kept free: even if all of them succeed, the quota is not exceeded. Whoever gets 0 or less that way asks
-- again with `alone`, in a new transaction: two who hold the shared lock and want the exclusive one would wait for each other.
--
-- There is one good plan for all values; without the setting the count is planned again in each call.
CREATE FUNCTION task_room(requester text, at timestamptz, proved integer, unproved integer, alone boolean)
  RETURNS integer LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  lock_key bigint := hashtextextended('task quota:' || requester, 0);
  crowd integer := current_setting('max_connections')::integer;
  quota integer;
BEGIN
  SELECT coalesce(i.task_quota, CASE WHEN i.domain_status IN ('verified', 'grace') THEN proved ELSE unproved END)
    INTO quota FROM identities i WHERE i.id = requester;
  IF alone OR quota <= crowd THEN
    crowd := 0;
    PERFORM pg_advisory_xact_lock(lock_key);
  ELSE
    PERFORM pg_advisory_xact_lock_shared(lock_key);
  END IF;
  RETURN quota - crowd - (SELECT count(*) FROM (
    SELECT FROM tasks WHERE requester_id = requester AND state <= 'open' AND expires_at > at LIMIT quota - crowd
  ) counted);
END $$;
