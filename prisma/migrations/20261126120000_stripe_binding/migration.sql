-- Nothing said to which account at Stripe, and to which of its modes, the LIVE records belong: with another key, what test cards had
-- paid counted as real money. Now one row says so, written at the first call of Stripe.

-- CreateTable
CREATE TABLE "stripe_bindings" (
    "id" INTEGER NOT NULL,
    "account_id" TEXT,
    "livemode" BOOLEAN NOT NULL,
    "bound_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stripe_bindings_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "forgotten" BOOLEAN NOT NULL DEFAULT false;

-- An earlier version did not record the account. Its mode is known from what Stripe has sent; the next call adds the account's ID.
INSERT INTO stripe_bindings (id, livemode, bound_at)
SELECT 1,
  EXISTS (SELECT FROM stripe_events WHERE livemode) OR EXISTS (SELECT FROM payments WHERE stripe_session_id LIKE 'cs_live_%'),
  least((SELECT min(created_at) FROM payment_accounts), (SELECT min(created_at) FROM payments WHERE payment_mode = 'LIVE'))
WHERE EXISTS (SELECT FROM payment_accounts WHERE stripe_account_id IS NOT NULL)
  OR EXISTS (SELECT FROM payments WHERE payment_mode = 'LIVE' AND stripe_session_id IS NOT NULL);
