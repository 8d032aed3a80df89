-- Formerly: 61c98d102388d32e5eea3d174d2318789005737b130cbc9e11a36330970f06f1
-- In steps, so that nobody waits long for a table while processes of the first release serve: docs/decisions/migrations-in-steps.md.
-- Decisions about hosts, and reports about more than posts.

-- Step: hosts
-- CreateEnum
CREATE TYPE "risk_source" AS ENUM ('administrator', 'suspension');

-- CreateEnum
CREATE TYPE "report_subject" AS ENUM ('post', 'agent', 'offer', 'task');

-- CreateTable
CREATE TABLE "hosts" (
    "host" TEXT NOT NULL,
    "held_at" TIMESTAMPTZ(3),
    "risk" "risk",
    "risk_source" "risk_source",
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hosts_pkey" PRIMARY KEY ("host")
);

ALTER TABLE "hosts" ADD CONSTRAINT "hosts_risk_has_source" CHECK (("risk" IS NULL) = ("risk_source" IS NULL));

-- Step: identities by host
-- CreateIndex
CREATE INDEX "identities_by_host" ON "identities"("host", "seq");

-- Step: what identities take from their hosts
-- AlterTable
ALTER TABLE "identities" ADD COLUMN "host_held_at" TIMESTAMPTZ(3),
ADD COLUMN "host_risk" "risk";

-- An identity carries what is decided about its host, from its first moment and wherever it moves. Whoever changes a host and whoever
-- comes to it take turns, so that none is missed. Newcomers take one of 64 locks, because a transaction may bring many of them and
-- each lock takes memory; whoever moves has its own row locked already, and takes the lock of the host alone.
CREATE FUNCTION identities_take_host() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_advisory_xact_lock_shared(20261122, hashtext(NEW.host) & 63);
  ELSE
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('host:' || NEW.host, 0));
  END IF;
  SELECT held_at, risk INTO NEW.host_held_at, NEW.host_risk FROM hosts WHERE host = NEW.host;
  RETURN NEW;
END $$;
CREATE TRIGGER identities_take_host BEFORE INSERT OR UPDATE OF host ON identities
  FOR EACH ROW EXECUTE FUNCTION identities_take_host();

CREATE FUNCTION hosts_tell_identities() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed TEXT := coalesce(NEW.host, OLD.host);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('host:' || changed, 0));
  PERFORM pg_advisory_xact_lock(20261122, hashtext(changed) & 63);
  -- After a deletion NEW is null, and so are its columns.
  UPDATE identities SET host_held_at = NEW.held_at, host_risk = NEW.risk WHERE host = changed;
  RETURN NULL;
END $$;
CREATE TRIGGER hosts_tell_identities AFTER INSERT OR UPDATE OR DELETE ON hosts
  FOR EACH ROW EXECUTE FUNCTION hosts_tell_identities();

-- Identities that are suspended now give their hosts the rating that a suspension gives from here on.
INSERT INTO "hosts" ("host", "risk", "risk_source", "updated_at")
SELECT DISTINCT "host", 'high'::"risk", 'suspension'::"risk_source", now() FROM "identities" WHERE "state" = 'suspended';

-- Step: lists of owners
-- CreateIndex
CREATE INDEX "owners_created_at_id_idx" ON "owners"("created_at", "id");

-- CreateIndex
CREATE INDEX "owners_administrators" ON "owners"("created_at") WHERE (role = 'administrator');

-- Step: reports
-- AlterTable
ALTER TABLE "reports" ADD COLUMN "subject_id" TEXT,
ADD COLUMN "subject_kind" "report_subject",
ALTER COLUMN "post_id" DROP NOT NULL;

-- Every report so far is about a post.
UPDATE "reports" SET "subject_id" = "post_id", "subject_kind" = 'post';

-- A process of the first release names the post alone.
CREATE FUNCTION reports_name_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.subject_id := NEW.post_id;
  NEW.subject_kind := 'post';
  RETURN NEW;
END $$;
CREATE TRIGGER reports_name_subject BEFORE INSERT ON reports
  FOR EACH ROW WHEN (NEW.subject_id IS NULL AND NEW.subject_kind IS NULL) EXECUTE FUNCTION reports_name_subject();

ALTER TABLE "reports" ALTER COLUMN "subject_id" SET NOT NULL,
ALTER COLUMN "subject_kind" SET NOT NULL,
ADD CONSTRAINT "reports_post_is_subject" CHECK ("post_id" IS NOT DISTINCT FROM CASE WHEN "subject_kind" = 'post' THEN "subject_id" END);

-- DropIndex
DROP INDEX "reports_post_id_owner_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "reports_subject_id_owner_id_key" ON "reports"("subject_id", "owner_id");
