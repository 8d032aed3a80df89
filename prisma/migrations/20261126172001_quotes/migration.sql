-- A requester may choose among quotes instead of taking the first claim.
-- CreateEnum
CREATE TYPE "open_to" AS ENUM ('claims', 'quotes');

-- CreateEnum
CREATE TYPE "quote_state" AS ENUM ('live', 'chosen', 'withdrawn', 'replaced');

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "open_to" "open_to" NOT NULL DEFAULT 'claims';

-- CreateTable
CREATE TABLE "quotes" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "task_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "amount_pence" INTEGER NOT NULL,
    "note" TEXT NOT NULL,
    "due_at" TEXT,
    "state" "quote_state" NOT NULL DEFAULT 'live',
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quotes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "quotes_seq_key" ON "quotes"("seq");

-- CreateIndex
CREATE UNIQUE INDEX "quotes_one_live" ON "quotes"("task_id", "provider_id") WHERE (state <= 'chosen');

-- CreateIndex
CREATE UNIQUE INDEX "quotes_one_chosen" ON "quotes"("task_id") WHERE (state = 'chosen');

-- CreateIndex
CREATE INDEX "quotes_live" ON "quotes"("task_id", "expires_at") WHERE (state <= 'chosen');

-- CreateIndex
CREATE INDEX "quotes_live_by_provider" ON "quotes"("provider_id", "expires_at") WHERE (state <= 'chosen');

-- CreateIndex
CREATE INDEX "quotes_task_id_seq_idx" ON "quotes"("task_id", "seq");

-- CreateIndex
CREATE INDEX "quotes_provider_id_seq_idx" ON "quotes"("provider_id", "seq");

-- CreateIndex
CREATE INDEX "quotes_provider_id_task_id_seq_idx" ON "quotes"("provider_id", "task_id", "seq");

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
