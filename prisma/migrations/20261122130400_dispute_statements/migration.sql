-- Both parties of a dispute are heard, and can read why it was resolved as it was.

-- AlterTable
ALTER TABLE "disputes" ADD COLUMN     "provider_id" TEXT,
ADD COLUMN     "provider_statements" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "requester_statements" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "resolution_reason" TEXT;

-- At most five statements a side, whatever writes them.
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_statements" CHECK (requester_statements BETWEEN 0 AND 5 AND provider_statements BETWEEN 0 AND 5);

-- CreateTable
CREATE TABLE "dispute_statements" (
    "dispute_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "author_id" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "dispute_statements_pkey" PRIMARY KEY ("dispute_id","number")
);

-- CreateIndex
CREATE INDEX "dispute_statements_author_id_idx" ON "dispute_statements"("author_id");

-- CreateIndex
CREATE INDEX "disputes_provider_id_idx" ON "disputes"("provider_id");

-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identities"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dispute_statements" ADD CONSTRAINT "dispute_statements_dispute_id_fkey" FOREIGN KEY ("dispute_id") REFERENCES "disputes"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dispute_statements" ADD CONSTRAINT "dispute_statements_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- A provider that opened a dispute stays its party, even if it gave the task back meanwhile.
UPDATE "disputes" d SET "provider_id" = CASE WHEN d.opened_by <> t.requester_id THEN d.opened_by ELSE t.provider_id END
FROM "tasks" t WHERE t.id = d.task_id;

-- Until now the reason was in the audit trail only.
UPDATE "disputes" d SET "resolution_reason" = (
  SELECT e.reason FROM "audit_events" e
  WHERE e.subject_kind = 'dispute' AND e.subject_id = d.id AND e.action = 'resolve' ORDER BY e.seq DESC LIMIT 1
) WHERE d.state = 'resolved';
