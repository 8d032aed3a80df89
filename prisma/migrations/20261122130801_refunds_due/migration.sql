-- A split settlement owes the requester a refund too, and stays approved.
-- DropIndex
DROP INDEX "settlements_refund_due";

-- CreateIndex
CREATE INDEX "settlements_refund_due" ON "settlements"("voided_at") WHERE funding = 'confirmed' AND (state = 'void' OR awarded_pence IS NOT NULL);

-- An alert that the receiver refuses again and again is given up, so that it does not stop the later ones.
-- AlterTable
ALTER TABLE "alerts" ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failed_at" TIMESTAMPTZ(3);

-- DropIndex
DROP INDEX "alerts_unsent";

-- CreateIndex
CREATE INDEX "alerts_unsent" ON "alerts"("id") WHERE sent_at IS NULL AND failed_at IS NULL;

-- An alert about a refund is now about its amount too, and one about a transfer about that transfer: what was sent is not sent again.
UPDATE alerts a SET subject_id = a.subject_id || ':' || due.pence
FROM (SELECT l.settlement_id, 0 - sum(e.amount_pence) AS pence FROM ledger_transactions l
  JOIN ledger_entries e ON e.transaction_id = l.id AND e.account = 'refund_due' GROUP BY 1) due
WHERE a.kind = 'refund_due' AND a.subject_id = due.settlement_id;
UPDATE alerts a SET subject_id = i.id FROM transfer_intents i
WHERE a.kind = 'transfer_held' AND i.settlement_id = a.subject_id AND (i.state = 'queued' OR i.state = 'sending');
