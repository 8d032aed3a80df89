-- Stripe writes to the holder of a payment account, whose address was unknown for providers without an owner. And a payout that failed
-- was not reported if another replaced it before anyone looked.

-- AlterTable
ALTER TABLE "payment_accounts" ADD COLUMN     "contact_email" TEXT;

-- AlterTable
ALTER TABLE "stripe_payouts" ADD COLUMN     "failure" TEXT;

-- CreateIndex
-- Few rows, one for each payout to a provider, and only the worker writes them.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX "stripe_payouts_failed" ON "stripe_payouts"("id") WHERE status = 'failed' OR status = 'canceled';
