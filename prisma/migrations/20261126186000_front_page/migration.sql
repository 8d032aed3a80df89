-- The front page shows the latest step of every listed task, and the register of agreements lists tasks by when they were agreed.

-- Step: when both parties had accepted
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "agreed_at" TIMESTAMPTZ(3);

-- In the database, because a process of an earlier release doesn't know the column.
CREATE FUNCTION tasks_agreed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.agreed_at := NEW.updated_at;
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_agreed BEFORE UPDATE OF state ON tasks FOR EACH ROW
  WHEN (OLD.state = 'proposed' AND NEW.state = 'accepted') EXECUTE FUNCTION tasks_agreed();

-- Step, in batches: earlier agreements
CREATE TEMP TABLE batch ON COMMIT DROP AS
  SELECT id, seq FROM tasks WHERE seq > coalesce(nullif(current_setting('migration.reached', true), '')::bigint, 0)
  ORDER BY seq LIMIT nullif(current_setting('migration.batch', true), '')::integer;
UPDATE tasks t SET agreed_at = greatest(c.requester_accepted_at, c.provider_accepted_at)
FROM batch JOIN contracts c ON c.task_id = batch.id AND c.state = 'accepted' WHERE t.id = batch.id AND t.agreed_at IS NULL;
SELECT max(seq) AS reached FROM batch;

-- Step: listed tasks by their latest step
-- Built under the lock of this step, for a fraction of a second per 100,000 tasks.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "tasks_listed_by_change" ON "tasks"("updated_at", "id") WHERE (visibility = 'listed');

-- Step: listed tasks by agreement
-- Built under the lock of this step, for a fraction of a second per 100,000 tasks.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "tasks_listed_by_agreement" ON "tasks"("agreed_at", "id") WHERE (visibility = 'listed' AND agreed_at IS NOT NULL);
