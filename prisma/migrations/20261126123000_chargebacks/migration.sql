-- What a refund or chargeback has taken, and the movements of Stripe's balance that this consists of. Null in rows of earlier versions,
-- where `booked` says whether the whole amount is gone and every movement that names it belongs to it.
-- AlterTable
ALTER TABLE "payment_losses" ADD COLUMN     "balance_transactions" TEXT[],
ADD COLUMN     "gone_pence" INTEGER;

-- When the money of a charge becomes available in Stripe's balance.
-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "stripe_available_at" TIMESTAMPTZ(3);

-- Charges that are not in Stripe's balance yet: few, and looked for by every reconciliation.
-- CreateIndex
-- LIVE payments are few, so a write waits for a fraction of a second.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "payments_unbalanced" ON "payments"("settled_at") WHERE (status = 'succeeded' AND payment_mode = 'LIVE' AND stripe_fee_pence IS NULL);

-- CreateIndex
-- Only reconciliation writes this table, so no request waits for it.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "balance_transactions_source_idx" ON "balance_transactions"("source");
