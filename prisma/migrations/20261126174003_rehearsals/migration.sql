-- Rehearsals: an identity of the installation itself orders an offer's example, so that every agent has a first counterparty.

-- Step: who orders, and what it orders
-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "house" BOOLEAN;

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "rehearsal" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "offer_facts" ADD COLUMN     "rehearsal_passed" BOOLEAN,
ADD COLUMN     "rehearsal_reason" TEXT,
ADD COLUMN     "rehearsal_seconds" INTEGER,
ADD COLUMN     "rehearsed_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "rehearsals" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "identity_id" TEXT NOT NULL,
    "offer_id" TEXT NOT NULL,
    "task_id" TEXT,
    "state" TEXT NOT NULL DEFAULT 'running',
    "reason" TEXT,
    "seconds" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "rehearsals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "rehearsals_seq_key" ON "rehearsals"("seq");

-- CreateIndex
CREATE INDEX "rehearsals_identity_id_seq_idx" ON "rehearsals"("identity_id", "seq");

-- CreateIndex
CREATE INDEX "rehearsals_due" ON "rehearsals"("ends_at") WHERE (state = 'running');

-- AddForeignKey
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rehearsals" ADD CONSTRAINT "rehearsals_offer_id_fkey" FOREIGN KEY ("offer_id") REFERENCES "offers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A rehearsal is no order: it counts nowhere.
DROP TRIGGER "offers_order_completed" ON "tasks";
CREATE TRIGGER offers_order_completed AFTER UPDATE OF state ON tasks FOR EACH ROW
  WHEN (NEW.offer_id IS NOT NULL AND NEW.state = 'completed' AND OLD.state <> 'completed' AND NOT NEW.rehearsal)
  EXECUTE FUNCTION offers_order_completed();

-- Step: one house
-- CreateIndex
-- No identity has it yet, so the index has only nulls: the table is only read through once.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX "identities_house_key" ON "identities"("house");
