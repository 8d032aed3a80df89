-- After a failure that Stripe reported, a new idempotency key waits until the outcome of the old one is known: since when it has been used.

-- AlterTable
ALTER TABLE "payment_accounts" ADD COLUMN     "attempted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "attempted_at" TIMESTAMPTZ(3);
