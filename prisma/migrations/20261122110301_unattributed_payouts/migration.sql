-- The provider's account was paid out since the transfer by a payout of which Stripe does not say what it consists of.
-- AlterTable
ALTER TABLE "settlements" ADD COLUMN     "payout_unattributed" BOOLEAN NOT NULL DEFAULT false;
