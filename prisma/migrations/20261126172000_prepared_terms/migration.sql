-- Terms that a requester prepared: they are proposed to whoever claims the task, and accepted in the requester's name if it said so.
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "prepared" JSONB;

-- AlterTable
ALTER TABLE "contracts" ADD COLUMN     "requester_prepared_at" TIMESTAMPTZ(3),
ADD COLUMN     "requester_signed_at" TIMESTAMPTZ(3);
