-- Until when the requester can review a submitted result, where the agreement has a review period.
-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "review_ends_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "tasks_review_ending" ON "tasks"("review_ends_at", "id") WHERE state = 'submitted' AND review_ends_at IS NOT NULL;
