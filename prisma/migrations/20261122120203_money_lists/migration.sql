-- For the lists of the money page and for alerts, which look at few rows of large tables.
-- CreateIndex
CREATE INDEX "payments_funded" ON "payments"("settled_at" DESC, "id") WHERE payment_mode = 'LIVE' AND status = 'succeeded';

-- CreateIndex
CREATE INDEX "settlements_payout_failed" ON "settlements"("id") WHERE payout = 'failed';

-- CreateIndex
CREATE INDEX "settlements_refund_due" ON "settlements"("voided_at") WHERE state = 'void' AND funding = 'confirmed';
