-- AlterEnum
ALTER TYPE "dispute_resolution" ADD VALUE 'split';

-- CreateEnum
CREATE TYPE "money_act_kind" AS ENUM ('refund', 'reverse_transfer', 'send_transfer');

-- CreateEnum
CREATE TYPE "money_act_state" AS ENUM ('queued', 'sending', 'pending', 'done', 'failed');

-- What an administrator awarded the provider when splitting a settlement.
-- AlterTable
ALTER TABLE "settlements" ADD COLUMN     "awarded_pence" INTEGER;

-- AlterTable
ALTER TABLE "transfer_intents" ADD COLUMN     "allowed_dispute_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "allowed_refund_pence" INTEGER NOT NULL DEFAULT 0;

-- A settlement can have several transfers one after the other, but only one that is not sent yet.
-- DropIndex
DROP INDEX "transfer_intents_settlement_id_key";

-- CreateIndex
CREATE INDEX "transfer_intents_settlement_id_idx" ON "transfer_intents"("settlement_id");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_intents_one_open" ON "transfer_intents"("settlement_id") WHERE (state = 'queued' OR state = 'sending');

-- CreateTable
CREATE TABLE "money_acts" (
    "id" TEXT NOT NULL,
    "act_id" TEXT NOT NULL,
    "kind" "money_act_kind" NOT NULL,
    "settlement_id" TEXT NOT NULL,
    "amount_pence" INTEGER NOT NULL,
    "asked_pence" INTEGER,
    "transfer_id" TEXT,
    "state" "money_act_state" NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "stripe_id" TEXT,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "asked_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "money_acts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "money_acts_stripe_id_key" ON "money_acts"("stripe_id");

-- CreateIndex
CREATE INDEX "money_acts_act_id_idx" ON "money_acts"("act_id");

-- CreateIndex
CREATE INDEX "money_acts_settlement_id_idx" ON "money_acts"("settlement_id");

-- CreateIndex
CREATE INDEX "money_acts_open" ON "money_acts"("created_at") WHERE (state = 'queued' OR state = 'sending');

-- AddForeignKey
ALTER TABLE "money_acts" ADD CONSTRAINT "money_acts_settlement_id_fkey" FOREIGN KEY ("settlement_id") REFERENCES "settlements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
