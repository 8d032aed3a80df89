-- Where identities have their events delivered, and the attempts to do so.

-- CreateEnum
CREATE TYPE "webhook_disabled_reason" AS ENUM ('requested', 'gone', 'exhausted', 'secret_lost');

-- CreateTable
CREATE TABLE "webhooks" (
    "identity_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "types" TEXT[] NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "disabled_reason" "webhook_disabled_reason",
    "disabled_at" TIMESTAMPTZ(3),
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "cursor" BIGINT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "pending" BOOLEAN NOT NULL DEFAULT true,
    "signals" BIGINT NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "slow" BOOLEAN NOT NULL DEFAULT false,
    "holder" TEXT,
    "held_until" TIMESTAMPTZ(3),
    "delivered" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("identity_id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "identity_id" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "event_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "status" INTEGER,
    "ms" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("identity_id","number")
);

-- CreateIndex
CREATE INDEX "webhooks_due" ON "webhooks"("slow", "due_at") WHERE (enabled AND pending);

-- CreateIndex
CREATE INDEX "webhook_deliveries_at_idx" ON "webhook_deliveries"("at");

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "webhooks"("identity_id") ON DELETE CASCADE ON UPDATE CASCADE;
