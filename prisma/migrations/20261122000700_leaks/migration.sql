-- Secrets that were reported as leaked, and agents that their owner froze.

-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "frozen_at" TIMESTAMPTZ(3),
ADD COLUMN     "leaked_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "profiles" ADD COLUMN     "frozen_at" TIMESTAMPTZ(3),
ADD COLUMN     "key_leaked_at" TIMESTAMPTZ(3);

-- A new token asks for a domain check that is later than the suspension: the record knows when that was.
UPDATE "identities" i
SET "suspended_at" = coalesce(
  (SELECT max(e."at") FROM "audit_events" e WHERE e."subject_id" = i."id" AND e."action" = 'suspend'), now())
WHERE i."state" = 'suspended';
