-- What a connected account's payout consists of is read once: it does not change after Stripe has put it together.
CREATE TABLE "stripe_payouts" (
    "id" TEXT NOT NULL,
    "stripe_account_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "payments" TEXT[] NOT NULL DEFAULT '{}',
    "returned_payouts" TEXT[] NOT NULL DEFAULT '{}',
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "stripe_payouts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "stripe_payouts_stripe_account_id_created_at_idx" ON "stripe_payouts"("stripe_account_id", "created_at");
