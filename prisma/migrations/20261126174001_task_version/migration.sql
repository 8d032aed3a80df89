-- A number that grows with every change of a task, so that a caller can wait for the next one.
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

CREATE FUNCTION tasks_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_version BEFORE UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION tasks_version();

-- What a task shows of its agreement, its funding and its dispute changes it as well. Whoever writes these has locked the task.
CREATE FUNCTION tasks_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tasks SET version = version WHERE id = NEW.task_id;
  RETURN NULL;
END $$;
CREATE TRIGGER contracts_touch AFTER INSERT ON contracts FOR EACH ROW EXECUTE FUNCTION tasks_touched();
CREATE TRIGGER contracts_touch_changed AFTER UPDATE OF state, requester_accepted_at, provider_accepted_at ON contracts FOR EACH ROW
  WHEN ((OLD.state, OLD.requester_accepted_at, OLD.provider_accepted_at)
    IS DISTINCT FROM (NEW.state, NEW.requester_accepted_at, NEW.provider_accepted_at))
  EXECUTE FUNCTION tasks_touched();
CREATE TRIGGER settlements_touch AFTER UPDATE OF state, funding ON settlements FOR EACH ROW
  WHEN ((OLD.state, OLD.funding) IS DISTINCT FROM (NEW.state, NEW.funding)) EXECUTE FUNCTION tasks_touched();
CREATE TRIGGER disputes_touch AFTER INSERT ON disputes FOR EACH ROW EXECUTE FUNCTION tasks_touched();
CREATE TRIGGER disputes_touch_changed AFTER UPDATE OF state ON disputes FOR EACH ROW
  WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION tasks_touched();
