-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "contract_state" AS ENUM ('proposed', 'accepted', 'declined');

-- CreateEnum
CREATE TYPE "identity_state" AS ENUM ('active', 'suspended');

-- CreateEnum
CREATE TYPE "domain_status" AS ENUM ('unverified', 'verified', 'grace', 'lapsed');

-- CreateEnum
CREATE TYPE "risk" AS ENUM ('low', 'normal', 'high');

-- CreateEnum
CREATE TYPE "health_status" AS ENUM ('available', 'busy', 'maintenance', 'offline');

-- CreateEnum
CREATE TYPE "payment_mode" AS ENUM ('TEST', 'LIVE');

-- CreateEnum
CREATE TYPE "settlement_state" AS ENUM ('recorded', 'approved', 'void');

-- CreateEnum
CREATE TYPE "funding" AS ENUM ('not_required', 'required', 'pending', 'confirmed');

-- CreateEnum
CREATE TYPE "transfer_state" AS ENUM ('none', 'queued', 'sent', 'failed', 'reversed', 'simulated');

-- CreateEnum
CREATE TYPE "payout_state" AS ENUM ('unknown', 'pending', 'paid', 'failed');

-- CreateEnum
CREATE TYPE "payment_status" AS ENUM ('pending', 'succeeded', 'declined', 'expired', 'canceled');

-- CreateEnum
CREATE TYPE "ledger_account" AS ENUM ('cash', 'held', 'provider_payable', 'platform_fees', 'refund_due');

-- CreateEnum
CREATE TYPE "ledger_kind" AS ENUM ('funding', 'approval', 'transfer', 'void');

-- CreateEnum
CREATE TYPE "task_state" AS ENUM ('open', 'claimed', 'proposed', 'accepted', 'in_progress', 'submitted', 'completed', 'cancelled', 'expired');

-- CreateEnum
CREATE TYPE "visibility" AS ENUM ('listed', 'unlisted');

-- CreateEnum
CREATE TYPE "dispute_state" AS ENUM ('open', 'resolved');

-- CreateEnum
CREATE TYPE "dispute_resolution" AS ENUM ('provider', 'requester');

-- CreateTable
CREATE TABLE "contracts" (
    "id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "requester_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "state" "contract_state" NOT NULL DEFAULT 'proposed',
    "payment_mode" "payment_mode" NOT NULL,
    "amount_pence" INTEGER NOT NULL,
    "terms" JSONB NOT NULL,
    "terms_canonical" TEXT NOT NULL,
    "terms_hash" TEXT NOT NULL,
    "requester_accepted_at" TIMESTAMPTZ(3),
    "provider_accepted_at" TIMESTAMPTZ(3),
    "declined_at" TIMESTAMPTZ(3),
    "declined_by" TEXT,
    "decline_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contracts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identities" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "skills" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "protocols" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "public_profile" BOOLEAN NOT NULL DEFAULT true,
    "owner_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "search" tsvector,
    "verification_token" TEXT NOT NULL,
    "domain_status" "domain_status" NOT NULL DEFAULT 'unverified',
    "verified_at" TIMESTAMPTZ(3),
    "domain_checked_at" TIMESTAMPTZ(3),
    "domain_failures" INTEGER NOT NULL DEFAULT 0,
    "domain_failure" TEXT,
    "state" "identity_state" NOT NULL DEFAULT 'active',
    "risk" "risk" NOT NULL DEFAULT 'normal',
    "held_at" TIMESTAMPTZ(3),
    "denied_actions" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "health_reports" (
    "identity_id" TEXT NOT NULL,
    "status" "health_status" NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_reports_pkey" PRIMARY KEY ("identity_id")
);

-- CreateTable
CREATE TABLE "offers" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "identity_id" TEXT NOT NULL,
    "skill" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "input" TEXT NOT NULL,
    "output" TEXT NOT NULL,
    "limits" TEXT NOT NULL,
    "price_pence" INTEGER NOT NULL,
    "enabled" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "search" tsvector,

    CONSTRAINT "offers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "actor_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("actor_id","operation","key")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "reason" TEXT,
    "data" JSONB,
    "request_id" TEXT,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "settlements" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "contract_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "requester_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "gross_pence" INTEGER NOT NULL,
    "fee_pence" INTEGER NOT NULL,
    "net_pence" INTEGER NOT NULL,
    "fee_policy" JSONB NOT NULL,
    "state" "settlement_state" NOT NULL DEFAULT 'recorded',
    "funding" "funding" NOT NULL,
    "transfer" "transfer_state" NOT NULL DEFAULT 'none',
    "payout" "payout_state" NOT NULL DEFAULT 'unknown',
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "funded_at" TIMESTAMPTZ(3),
    "approved_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "transferred_at" TIMESTAMPTZ(3),
    "paid_out_at" TIMESTAMPTZ(3),

    CONSTRAINT "settlements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" TEXT NOT NULL,
    "contract_id" TEXT NOT NULL,
    "requester_id" TEXT NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "status" "payment_status" NOT NULL DEFAULT 'pending',
    "amount_pence" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_transactions" (
    "id" BIGSERIAL NOT NULL,
    "settlement_id" TEXT NOT NULL,
    "kind" "ledger_kind" NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "transaction_id" BIGINT NOT NULL,
    "account" "ledger_account" NOT NULL,
    "amount_pence" INTEGER NOT NULL,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" TEXT NOT NULL,
    "seq" BIGSERIAL NOT NULL,
    "requester_id" TEXT NOT NULL,
    "selected_provider_id" TEXT,
    "provider_id" TEXT,
    "title" TEXT NOT NULL,
    "brief" TEXT NOT NULL,
    "summary" TEXT NOT NULL,
    "skill" TEXT,
    "budget_pence" INTEGER NOT NULL,
    "visibility" "visibility" NOT NULL,
    "payment_mode" "payment_mode" NOT NULL,
    "state" "task_state" NOT NULL DEFAULT 'open',
    "client_request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "held_at" TIMESTAMPTZ(3),
    "result" TEXT,
    "result_url" TEXT,
    "evidence_hash" TEXT,
    "changes_reason" TEXT,
    "search" tsvector,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "disputes" (
    "id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "opened_by" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" "dispute_state" NOT NULL DEFAULT 'open',
    "resolution" "dispute_resolution",
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),

    CONSTRAINT "disputes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "contracts_task_id_created_at_idx" ON "contracts"("task_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "contracts_one_live" ON "contracts"("task_id") WHERE (state <> 'declined');

-- CreateIndex
CREATE UNIQUE INDEX "identities_seq_key" ON "identities"("seq");

-- CreateIndex
CREATE UNIQUE INDEX "identities_token_digest_key" ON "identities"("token_digest");

-- CreateIndex
CREATE INDEX "identities_directory" ON "identities"("seq") WHERE (public_profile AND state = 'active' AND (domain_status = 'verified' OR domain_status = 'grace'));

-- CreateIndex
CREATE INDEX "identities_search_idx" ON "identities" USING GIN ("search");

-- CreateIndex
CREATE INDEX "identities_skills_idx" ON "identities" USING GIN ("skills");

-- CreateIndex
CREATE UNIQUE INDEX "offers_seq_key" ON "offers"("seq");

-- CreateIndex
CREATE INDEX "offers_identity_id_seq_idx" ON "offers"("identity_id", "seq");

-- CreateIndex
CREATE INDEX "offers_by_price" ON "offers"("skill", "price_pence", "seq") WHERE (enabled);

-- CreateIndex
CREATE INDEX "offers_enabled" ON "offers"("seq") WHERE (enabled);

-- CreateIndex
CREATE INDEX "offers_search_idx" ON "offers" USING GIN ("search");

-- CreateIndex
CREATE UNIQUE INDEX "audit_events_seq_key" ON "audit_events"("seq");

-- CreateIndex
CREATE INDEX "audit_events_subject_id_seq_idx" ON "audit_events"("subject_id", "seq");

-- CreateIndex
CREATE INDEX "audit_events_actor_id_seq_idx" ON "audit_events"("actor_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "settlements_seq_key" ON "settlements"("seq");

-- CreateIndex
CREATE UNIQUE INDEX "settlements_contract_id_key" ON "settlements"("contract_id");

-- CreateIndex
CREATE INDEX "settlements_requester_id_seq_idx" ON "settlements"("requester_id", "seq");

-- CreateIndex
CREATE INDEX "settlements_provider_id_seq_idx" ON "settlements"("provider_id", "seq");

-- CreateIndex
CREATE INDEX "settlements_task_id_idx" ON "settlements"("task_id");

-- CreateIndex
CREATE INDEX "payments_contract_id_created_at_idx" ON "payments"("contract_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "payments_one_success" ON "payments"("contract_id") WHERE (status = 'succeeded');

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transactions_settlement_id_kind_key" ON "ledger_transactions"("settlement_id", "kind");

-- CreateIndex
CREATE INDEX "ledger_entries_transaction_id_idx" ON "ledger_entries"("transaction_id");

-- CreateIndex
CREATE UNIQUE INDEX "tasks_seq_key" ON "tasks"("seq");

-- CreateIndex
CREATE INDEX "tasks_listed" ON "tasks"("seq") WHERE (visibility = 'listed');

-- CreateIndex
CREATE INDEX "tasks_listed_by_state" ON "tasks"("state", "seq") WHERE (visibility = 'listed');

-- CreateIndex
CREATE INDEX "tasks_listed_by_skill" ON "tasks"("skill", "seq") WHERE (visibility = 'listed' AND skill IS NOT NULL);

-- CreateIndex
CREATE INDEX "tasks_listed_by_mode" ON "tasks"("payment_mode", "seq") WHERE (visibility = 'listed');

-- CreateIndex
CREATE INDEX "tasks_inbox" ON "tasks"("selected_provider_id", "seq") WHERE (state = 'open' AND selected_provider_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "tasks_expiring" ON "tasks"("expires_at") WHERE (state = 'open');

-- CreateIndex
CREATE INDEX "tasks_requester_id_seq_idx" ON "tasks"("requester_id", "seq");

-- CreateIndex
CREATE INDEX "tasks_provider_id_seq_idx" ON "tasks"("provider_id", "seq");

-- CreateIndex
CREATE INDEX "tasks_search_idx" ON "tasks" USING GIN ("search");

-- CreateIndex
CREATE INDEX "disputes_task_id_idx" ON "disputes"("task_id");

-- CreateIndex
CREATE UNIQUE INDEX "disputes_one_open" ON "disputes"("task_id") WHERE (state = 'open');

-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "health_reports" ADD CONSTRAINT "health_reports_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "offers" ADD CONSTRAINT "offers_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_contract_id_fkey" FOREIGN KEY ("contract_id") REFERENCES "contracts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_contract_id_fkey" FOREIGN KEY ("contract_id") REFERENCES "contracts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_transactions" ADD CONSTRAINT "ledger_transactions_settlement_id_fkey" FOREIGN KEY ("settlement_id") REFERENCES "settlements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transactions"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_requester_id_fkey" FOREIGN KEY ("requester_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_selected_provider_id_fkey" FOREIGN KEY ("selected_provider_id") REFERENCES "identities"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identities"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the schema language cannot say: full-text columns, frozen rows, and books that balance.

-- Text search. Words come from public text only; a trigger keeps the column, because a generated column cannot call to_tsvector
-- over arrays and Prisma would see its expression as drift.
CREATE FUNCTION identities_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := setweight(to_tsvector('simple', NEW.name || ' ' || replace(NEW.host, '.', ' ') || ' ' || NEW.host), 'A')
    || setweight(to_tsvector('english', array_to_string(NEW.skills, ' ') || ' ' || NEW.name), 'B')
    || setweight(to_tsvector('english', NEW.description), 'C');
  RETURN NEW;
END $$;
CREATE TRIGGER identities_search BEFORE INSERT OR UPDATE OF name, description, host, skills ON identities
  FOR EACH ROW EXECUTE FUNCTION identities_search();

CREATE FUNCTION offers_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := to_tsvector('english', NEW.skill || ' ' || NEW.description || ' ' || NEW.input || ' ' || NEW.output);
  RETURN NEW;
END $$;
CREATE TRIGGER offers_search BEFORE INSERT OR UPDATE OF skill, description, input, output ON offers
  FOR EACH ROW EXECUTE FUNCTION offers_search();

CREATE FUNCTION tasks_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.search := to_tsvector('english', NEW.title || ' ' || NEW.summary || ' ' || coalesce(NEW.skill, ''));
  RETURN NEW;
END $$;
CREATE TRIGGER tasks_search BEFORE INSERT OR UPDATE OF title, summary, skill ON tasks
  FOR EACH ROW EXECUTE FUNCTION tasks_search();

-- Append-only tables refuse every change.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER ledger_transactions_append_only BEFORE UPDATE OR DELETE ON ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transactions_no_truncate BEFORE TRUNCATE ON ledger_transactions EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_no_truncate BEFORE TRUNCATE ON ledger_entries EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_events_no_truncate BEFORE TRUNCATE ON audit_events EXECUTE FUNCTION refuse_change();

-- An agreement's terms and a settlement's figures are what they were when they were written.
CREATE FUNCTION contracts_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.id, NEW.task_id, NEW.requester_id, NEW.provider_id, NEW.payment_mode, NEW.amount_pence, NEW.terms,
      NEW.terms_canonical, NEW.terms_hash, NEW.created_at)
    IS DISTINCT FROM (OLD.id, OLD.task_id, OLD.requester_id, OLD.provider_id, OLD.payment_mode, OLD.amount_pence, OLD.terms,
      OLD.terms_canonical, OLD.terms_hash, OLD.created_at) THEN
    RAISE EXCEPTION 'the terms of contract % are frozen', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER contracts_frozen BEFORE UPDATE OR DELETE ON contracts FOR EACH ROW EXECUTE FUNCTION contracts_frozen();
CREATE TRIGGER contracts_no_truncate BEFORE TRUNCATE ON contracts EXECUTE FUNCTION refuse_change();

ALTER TABLE settlements ADD CONSTRAINT settlements_sum CHECK (gross_pence = fee_pence + net_pence AND fee_pence >= 0 AND net_pence >= 0);
CREATE FUNCTION settlements_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.id, NEW.contract_id, NEW.task_id, NEW.requester_id, NEW.provider_id, NEW.payment_mode, NEW.gross_pence,
      NEW.fee_pence, NEW.net_pence, NEW.fee_policy, NEW.recorded_at)
    IS DISTINCT FROM (OLD.id, OLD.contract_id, OLD.task_id, OLD.requester_id, OLD.provider_id, OLD.payment_mode, OLD.gross_pence,
      OLD.fee_pence, OLD.net_pence, OLD.fee_policy, OLD.recorded_at) THEN
    RAISE EXCEPTION 'the figures of settlement % are frozen', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER settlements_frozen BEFORE UPDATE OR DELETE ON settlements FOR EACH ROW EXECUTE FUNCTION settlements_frozen();

-- The payment mode of a task never changes after it was recorded.
CREATE FUNCTION tasks_mode_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the payment mode of task % is recorded for good', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER tasks_mode_frozen BEFORE UPDATE OF payment_mode ON tasks
  FOR EACH ROW WHEN (NEW.payment_mode IS DISTINCT FROM OLD.payment_mode) EXECUTE FUNCTION tasks_mode_frozen();

-- Double entry: at commit, the entries of a transaction exist and sum to zero.
CREATE FUNCTION ledger_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  subject bigint := CASE WHEN TG_TABLE_NAME = 'ledger_entries' THEN (to_jsonb(NEW) ->> 'transaction_id')::bigint ELSE NEW.id END;
  entries bigint;
  total bigint;
BEGIN
  SELECT count(*), coalesce(sum(amount_pence), 0) INTO entries, total FROM ledger_entries WHERE transaction_id = subject;
  IF entries < 2 OR total <> 0 THEN
    RAISE EXCEPTION 'ledger transaction % does not balance: % entries, sum %', subject, entries, total USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balanced();
CREATE CONSTRAINT TRIGGER ledger_transactions_balanced AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_balanced();

-- Heartbeats rewrite these rows in place.
ALTER TABLE health_reports SET (fillfactor = 50);
