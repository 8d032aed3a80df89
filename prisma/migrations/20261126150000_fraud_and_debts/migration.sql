-- AlterEnum
ALTER TYPE "ledger_account" ADD VALUE 'provider_debt';

-- AlterEnum
ALTER TYPE "ledger_kind" ADD VALUE 'netting';

-- What a provider owes after a reversal that its account could not pay, and what was kept from its transfers for that.
-- AlterTable
ALTER TABLE "settlements" ADD COLUMN     "debt_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "withheld_pence" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "transfer_intents" ADD COLUMN     "withheld_pence" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "payment_warnings" (
    "id" TEXT NOT NULL,
    "payment_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "open" BOOLEAN NOT NULL,
    "released_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_warnings_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "payment_warnings_payment_id_idx" ON "payment_warnings"("payment_id");

-- CreateIndex
-- No settlement has a debt yet, so the index is empty: the table is only read through once.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "settlements_owing" ON "settlements"("provider_id") WHERE (debt_pence > 0);

-- AddForeignKey
ALTER TABLE "payment_warnings" ADD CONSTRAINT "payment_warnings_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
