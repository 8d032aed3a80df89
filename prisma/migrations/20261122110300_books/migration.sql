-- AlterEnum
ALTER TYPE "ledger_account" ADD VALUE 'refunds_pending';
ALTER TYPE "ledger_account" ADD VALUE 'stripe_fees';
ALTER TYPE "ledger_account" ADD VALUE 'dispute_fees';

-- AlterEnum
ALTER TYPE "ledger_kind" ADD VALUE 'refund_settled';
ALTER TYPE "ledger_kind" ADD VALUE 'stripe_fee';
ALTER TYPE "ledger_kind" ADD VALUE 'dispute_fee';
ALTER TYPE "ledger_kind" ADD VALUE 'correction';

-- What of a settlement went back to the payer, and what of its fee and net was taken back for that.
-- AlterTable
ALTER TABLE "settlements" ADD COLUMN     "disputed_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "fee_unwound_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "net_unwound_pence" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "refunded_pence" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "settlement_totals" ADD COLUMN     "disputed_pence" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "refunded_pence" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "payments" ADD COLUMN     "stripe_fee_pence" INTEGER;

-- AlterTable
ALTER TABLE "payment_losses" ADD COLUMN     "due_by" TIMESTAMPTZ(3),
ADD COLUMN     "pending" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "differences" ADD COLUMN     "due_by" TIMESTAMPTZ(3);

-- The totals count what is left of a settlement: the gross less what went back, the fee and net less what was unwound.
CREATE OR REPLACE FUNCTION settlements_came() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settlement_totals AS t (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence, refunded_pence, disputed_pence)
  SELECT party, payment_mode, count(*), sum(greatest(gross_pence - refunded_pence - disputed_pence, 0)),
    sum(fee_pence - fee_unwound_pence), sum(net_pence - net_unwound_pence), sum(refunded_pence), sum(disputed_pence)
  FROM came, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
  WHERE state <> 'void' GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party_id, payment_mode) DO UPDATE SET settlements = t.settlements + excluded.settlements,
    gross_pence = t.gross_pence + excluded.gross_pence, fee_pence = t.fee_pence + excluded.fee_pence,
    net_pence = t.net_pence + excluded.net_pence, refunded_pence = t.refunded_pence + excluded.refunded_pence,
    disputed_pence = t.disputed_pence + excluded.disputed_pence;
  RETURN NULL;
END $$;

-- Agreed figures never change. What counts changes with a step into or out of `void`, and with money that goes back.
CREATE OR REPLACE FUNCTION settlements_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO settlement_totals AS t (party_id, payment_mode, settlements, gross_pence, fee_pence, net_pence, refunded_pence, disputed_pence)
  SELECT party, payment_mode, sum(sign), sum(sign * greatest(gross_pence - refunded_pence - disputed_pence, 0)),
    sum(sign * (fee_pence - fee_unwound_pence)), sum(sign * (net_pence - net_unwound_pence)), sum(sign * refunded_pence), sum(sign * disputed_pence)
  FROM (
    SELECT side.* FROM before JOIN after USING (id),
      LATERAL (SELECT after.*, 1 AS sign UNION ALL SELECT before.*, -1 AS sign) side
    WHERE (before.state = 'void', before.refunded_pence, before.disputed_pence, before.fee_unwound_pence, before.net_unwound_pence)
      IS DISTINCT FROM (after.state = 'void', after.refunded_pence, after.disputed_pence, after.fee_unwound_pence, after.net_unwound_pence)
      AND side.state <> 'void'
  ) changed, LATERAL (VALUES (requester_id), (provider_id)) sides(party)
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (party_id, payment_mode) DO UPDATE SET settlements = t.settlements + excluded.settlements,
    gross_pence = t.gross_pence + excluded.gross_pence, fee_pence = t.fee_pence + excluded.fee_pence,
    net_pence = t.net_pence + excluded.net_pence, refunded_pence = t.refunded_pence + excluded.refunded_pence,
    disputed_pence = t.disputed_pence + excluded.disputed_pence;
  RETURN NULL;
END $$;

UPDATE "settlements" s SET "refunded_pence" = p."refunded_pence", "disputed_pence" = p."disputed_pence"
FROM "payments" p
WHERE p."contract_id" = s."contract_id" AND p."status" = 'succeeded' AND p."refunded_pence" + p."disputed_pence" > 0;
