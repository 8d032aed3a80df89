-- The platform's own balance at Stripe: every movement is kept, and those that belong to no settlement are in the ledger too.
-- AlterEnum
ALTER TYPE "ledger_account" ADD VALUE 'operator';
ALTER TYPE "ledger_account" ADD VALUE 'unassigned';

-- AlterEnum
ALTER TYPE "ledger_kind" ADD VALUE 'opening';
ALTER TYPE "ledger_kind" ADD VALUE 'balance_transaction';

-- AlterTable
ALTER TABLE "ledger_transactions" ALTER COLUMN "settlement_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "balance_transactions" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "source" TEXT,
    "amount_pence" INTEGER NOT NULL,
    "fee_pence" INTEGER NOT NULL,
    "net_pence" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "available_at" TIMESTAMPTZ(3) NOT NULL,
    "booked" BOOLEAN NOT NULL DEFAULT false,
    "bookings" INTEGER NOT NULL DEFAULT 0,
    "read_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "balance_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "balance_readings" (
    "id" INTEGER NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "read_to" TIMESTAMPTZ(3) NOT NULL,
    "opening_pence" INTEGER,

    CONSTRAINT "balance_readings_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "reconciliations" ADD COLUMN     "ledger_pence" BIGINT;

-- CreateIndex
CREATE INDEX "balance_transactions_created_at_id_idx" ON "balance_transactions"("created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transactions_of_platform" ON "ledger_transactions"("kind", "reference") WHERE settlement_id IS NULL;

-- CreateIndex
CREATE INDEX "ledger_transactions_reference" ON "ledger_transactions"("reference") WHERE reference <> '';

-- CreateIndex
CREATE INDEX "ledger_transactions_at_id_idx" ON "ledger_transactions"("at", "id");
