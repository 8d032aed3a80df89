-- What was paid for a task that a party left or gave up is refunded without a decision, also if the payment arrives only afterwards.

-- AlterTable
ALTER TABLE "settlements" ADD COLUMN     "returns_payment" BOOLEAN NOT NULL DEFAULT false;
