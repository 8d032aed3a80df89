-- CreateEnum
CREATE TYPE "transfer_intent_state" AS ENUM ('queued', 'sending', 'sent', 'failed');

-- CreateEnum
CREATE TYPE "stripe_event_state" AS ENUM ('received', 'processed', 'ignored', 'failed');

-- AlterEnum
ALTER TYPE "ledger_account" ADD VALUE 'refunds';
ALTER TYPE "ledger_account" ADD VALUE 'chargebacks';

-- AlterEnum
ALTER TYPE "ledger_kind" ADD VALUE 'reversal';
ALTER TYPE "ledger_kind" ADD VALUE 'refund';
ALTER TYPE "ledger_kind" ADD VALUE 'refund_failed';
ALTER TYPE "ledger_kind" ADD VALUE 'chargeback';
ALTER TYPE "ledger_kind" ADD VALUE 'chargeback_won';

-- DropIndex
DROP INDEX "ledger_transactions_settlement_id_kind_key";

-- AlterTable
ALTER TABLE "ledger_transactions" ADD COLUMN     "reference" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "attempt" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN     "checked_at" TIMESTAMPTZ(3),
ADD COLUMN     "checkout_url" TEXT,
ADD COLUMN     "disputed_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "problem" TEXT,
ADD COLUMN     "refunded_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "stripe_charge_id" TEXT,
ADD COLUMN     "stripe_intent_id" TEXT,
ADD COLUMN     "stripe_session_id" TEXT;

-- CreateTable
CREATE TABLE "payment_accounts" (
    "id" TEXT NOT NULL,
    "identity_id" TEXT NOT NULL,
    "stripe_account_id" TEXT,
    "api_version" INTEGER NOT NULL DEFAULT 2,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "named_identity_id" TEXT,
    "transfers_status" TEXT,
    "payouts_status" TEXT,
    "requirements_due" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "closed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "refreshed_at" TIMESTAMPTZ(3),

    CONSTRAINT "payment_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfer_intents" (
    "id" TEXT NOT NULL,
    "settlement_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "amount_pence" INTEGER NOT NULL,
    "state" "transfer_intent_state" NOT NULL DEFAULT 'queued',
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "stripe_account_id" TEXT,
    "source_charge" TEXT,
    "stripe_transfer_id" TEXT,
    "destination_payment" TEXT,
    "reversed_pence" INTEGER NOT NULL DEFAULT 0,
    "payout_id" TEXT,
    "payout_status" TEXT,
    "payout_failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "asked_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "payout_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "problem" TEXT,

    CONSTRAINT "transfer_intents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payment_losses" (
    "id" TEXT NOT NULL,
    "payment_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amount_pence" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "booked" BOOLEAN NOT NULL DEFAULT false,
    "bookings" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_losses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stripe_events" (
    "id" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "account" TEXT,
    "object_id" TEXT,
    "state" "stripe_event_state" NOT NULL DEFAULT 'received',
    "deliveries" INTEGER NOT NULL DEFAULT 1,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "processed_at" TIMESTAMPTZ(3),

    CONSTRAINT "stripe_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reconciliations" (
    "id" BIGSERIAL NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "checked" INTEGER NOT NULL DEFAULT 0,
    "differences" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "differences" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "books" TEXT NOT NULL,
    "stripe" TEXT NOT NULL,
    "remedy" TEXT NOT NULL,
    "found_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "differences_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "payment_accounts_identity_id_key" ON "payment_accounts"("identity_id");

-- CreateIndex
CREATE UNIQUE INDEX "payment_accounts_stripe_account_id_key" ON "payment_accounts"("stripe_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_intents_settlement_id_key" ON "transfer_intents"("settlement_id");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_intents_stripe_transfer_id_key" ON "transfer_intents"("stripe_transfer_id");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_intents_destination_payment_key" ON "transfer_intents"("destination_payment");

-- CreateIndex
CREATE INDEX "transfer_intents_open" ON "transfer_intents"("created_at") WHERE (state = 'queued' OR state = 'sending');

-- CreateIndex
CREATE INDEX "transfer_intents_provider_id_state_idx" ON "transfer_intents"("provider_id", "state");

-- CreateIndex
CREATE INDEX "transfer_intents_payout_id_idx" ON "transfer_intents"("payout_id");

-- CreateIndex
CREATE INDEX "payment_losses_payment_id_idx" ON "payment_losses"("payment_id");

-- CreateIndex
CREATE INDEX "stripe_events_received_at_id_idx" ON "stripe_events"("received_at", "id");

-- CreateIndex
CREATE INDEX "stripe_events_open" ON "stripe_events"("received_at") WHERE (state = 'received' OR state = 'failed');

-- CreateIndex
CREATE INDEX "differences_seen_at_idx" ON "differences"("seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "differences_open" ON "differences"("kind", "subject_id") WHERE (resolved_at IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transactions_settlement_id_kind_reference_key" ON "ledger_transactions"("settlement_id", "kind", "reference");

-- CreateIndex
CREATE UNIQUE INDEX "payments_stripe_session_id_key" ON "payments"("stripe_session_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_stripe_intent_id_key" ON "payments"("stripe_intent_id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_stripe_charge_id_key" ON "payments"("stripe_charge_id");

-- CreateIndex
CREATE INDEX "payments_live" ON "payments"("checked_at") WHERE (payment_mode = 'LIVE');

-- CreateIndex
CREATE UNIQUE INDEX "payments_one_checkout" ON "payments"("contract_id") WHERE (status = 'pending' AND payment_mode = 'LIVE');

-- AddForeignKey
ALTER TABLE "transfer_intents" ADD CONSTRAINT "transfer_intents_settlement_id_fkey" FOREIGN KEY ("settlement_id") REFERENCES "settlements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payment_losses" ADD CONSTRAINT "payment_losses_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
