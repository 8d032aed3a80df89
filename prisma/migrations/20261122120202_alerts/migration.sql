-- What the operator is told at ALERT_WEBHOOK_URL, once each.
-- CreateTable
CREATE TABLE "alerts" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "alerts_kind_subject_id_key" ON "alerts"("kind", "subject_id");

-- CreateIndex
CREATE INDEX "alerts_unsent" ON "alerts"("id") WHERE sent_at IS NULL;
