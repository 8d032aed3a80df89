-- Formerly: 04f742ce016cca6123b24c32e77cf72a59793111ac2795b596429f9f03ea5991
-- In steps, so that nobody waits long for a table while processes of the first release serve: docs/decisions/migrations-in-steps.md.
-- Quotas of identities, and flags on offers so that lists and matches read only what they can show.

-- Step: columns, and what keeps the flags
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

-- Step, in batches: the flags of offers that are there already
-- Before the indexes exist.
CREATE TEMP TABLE batch ON COMMIT DROP AS
  SELECT id, seq FROM identities WHERE seq > coalesce(nullif(current_setting('migration.reached', true), '')::bigint, 0)
  ORDER BY seq LIMIT nullif(current_setting('migration.batch', true), '')::integer;
SELECT FROM identities i JOIN batch USING (id) ORDER BY i.id FOR NO KEY UPDATE OF i;
SELECT mark_offers(array_agg(id)) FROM batch;
SELECT max(seq) AS reached FROM batch;

-- Step: offers by price
-- DropIndex
DROP INDEX "offers_by_price";

-- CreateIndex
CREATE INDEX "offers_by_price" ON "offers"("skill", "price_pence", "seq") WHERE (matchable);

-- Step: lists of offers
-- DropIndex
DROP INDEX "offers_enabled";

-- CreateIndex
CREATE INDEX "offers_enabled" ON "offers"("seq") WHERE (listed);

-- CreateIndex
CREATE INDEX "offers_listed_by_skill" ON "offers"("skill", "seq") WHERE (listed);

-- Step: search of offers
-- DropIndex
DROP INDEX "offers_search_idx";

-- CreateIndex
CREATE INDEX "offers_search_idx" ON "offers" USING GIN ("search") WHERE (listed);

-- Step: open tasks
-- "Open" is the first of the states. Written like this, the condition belongs to no other index: for a requester with few tasks
-- the planner would else read all open tasks through "tasks_expiring".
-- CreateIndex
CREATE INDEX "tasks_open_by_requester" ON "tasks"("requester_id") WHERE (state <= 'open');

-- Step: allowances
-- CreateTable
CREATE TABLE "task_allowances" (
    "requester_id" TEXT NOT NULL,
    "quota" INTEGER NOT NULL,
    "remaining" INTEGER NOT NULL,

    CONSTRAINT "task_allowances_pkey" PRIMARY KEY ("requester_id")
);

-- AddForeignKey
ALTER TABLE "task_allowances" ADD CONSTRAINT "task_allowances_requester_id_fkey" FOREIGN KEY ("requester_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rewritten with each new task: a narrow row without secondary indexes changes in place.
ALTER TABLE task_allowances SET (fillfactor = 50);

-- Takes room for one more open task; false where there is none. Called by the statement that opens the task.
--
-- Why this is exact: whoever opens a task of a requester holds the lock on its allowance until the commit, so one at a time.
-- `remaining` is never more than the room that there is: it was counted under that lock, each new task takes one, and nothing
-- else makes open tasks more, except a release, which sets it to 0. Tasks that are claimed, cancelled or expire only make room,
-- which the next count finds. That comes when nothing remains, or the quota is another one; each query in here sees what has
-- been committed by then, because the function is volatile.
CREATE FUNCTION take_task_room(requester text, at timestamptz, allowed integer) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  room integer;
BEGIN
  UPDATE task_allowances SET remaining = remaining - 1 WHERE requester_id = requester AND quota = allowed AND remaining > 0;
  IF FOUND THEN
    RETURN true;
  END IF;
  INSERT INTO task_allowances (requester_id, quota, remaining) VALUES (requester, allowed, 0)
    ON CONFLICT (requester_id) DO UPDATE SET quota = excluded.quota, remaining = 0;
  room := allowed - (SELECT count(*) FROM (
    SELECT FROM tasks t WHERE t.requester_id = requester AND t.state <= 'open' AND t.expires_at > at LIMIT allowed
  ) counted);
  IF room <= 0 THEN
    RETURN false;
  END IF;
  UPDATE task_allowances SET remaining = room - 1 WHERE requester_id = requester;
  RETURN true;
END $$;

CREATE FUNCTION tasks_reopened() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE task_allowances SET remaining = 0 WHERE requester_id = NEW.requester_id;
  RETURN NULL;
END $$;
CREATE TRIGGER tasks_reopened AFTER UPDATE OF state ON tasks FOR EACH ROW
  WHEN (NEW.state = 'open' AND OLD.state <> 'open') EXECUTE FUNCTION tasks_reopened();
