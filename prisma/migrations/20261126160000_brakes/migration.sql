-- Money left as soon as a task was completed, before a stolen card or a bad provider could show.

-- AlterTable
ALTER TABLE "transfer_intents" ADD COLUMN     "not_before" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "payment_accounts" ADD COLUMN     "payout_delay_days" INTEGER NOT NULL DEFAULT 0;
