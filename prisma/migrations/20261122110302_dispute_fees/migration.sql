-- What Stripe kept for itself because of a dispute, as it is booked.
-- AlterTable
ALTER TABLE "payment_losses" ADD COLUMN     "fee_pence" INTEGER NOT NULL DEFAULT 0;
