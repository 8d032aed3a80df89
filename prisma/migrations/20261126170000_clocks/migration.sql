-- A claim that leads to no agreement ends after `claim_hours`. Tasks that exist already have none, so their claims go on.

-- Step: columns
-- AlterEnum
ALTER TYPE "contract_state" ADD VALUE 'lapsed';

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "claim_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "claim_hours" INTEGER,
ADD COLUMN     "dismissed_ids" TEXT[] NOT NULL DEFAULT '{}';

-- Step: one live contract
-- "Live" are the first two of the states.
-- Its table is locked for the moment until its successor is built, in a step of its own: a fraction of a second per 100,000 contracts.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX "contracts_one_live";

-- Built under the lock of this step, for a fraction of a second per 100,000 contracts.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "contracts_one_live" ON "contracts"("task_id") WHERE (state < 'declined');

-- Step: claims that end
-- Holds no row yet, because no claim has an end: built in the time of one scan of the tasks.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "tasks_claim_ending" ON "tasks"("claim_ends_at", "id") WHERE (claim_ends_at IS NOT NULL);

-- Step: claims that end, by selected provider
-- Holds no row yet, because no claim has an end: built in the time of one scan of the tasks.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "tasks_claim_ending_by_provider" ON "tasks"("selected_provider_id", "claim_ends_at") WHERE (claim_ends_at IS NOT NULL AND selected_provider_id IS NOT NULL);
