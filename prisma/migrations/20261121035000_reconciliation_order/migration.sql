-- AlterTable
ALTER TABLE "payment_accounts" ADD COLUMN     "looked_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "settlements" ADD COLUMN     "looked_at" TIMESTAMPTZ(3);
