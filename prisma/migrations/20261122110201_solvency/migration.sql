-- What each reconciliation found of Stripe's balance, and what was owed out of it. Null for earlier runs.
ALTER TABLE "reconciliations"
    ADD COLUMN "available_pence" BIGINT,
    ADD COLUMN "pending_pence" BIGINT,
    ADD COLUMN "owed_pence" BIGINT;
