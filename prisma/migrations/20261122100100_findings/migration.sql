-- Which settlement a difference is about, as a column. Until now the one of an unknown transfer was named only in a sentence.
ALTER TABLE "differences" ADD COLUMN "settlement_id" TEXT;

UPDATE "differences" d SET "settlement_id" = s."id" FROM "settlements" s
WHERE s."id" = d."subject_id"
   OR (d."kind" = 'unknown_transfer' AND s."id" = split_part(d."stripe", ' settlement ', 2));
UPDATE "differences" d SET "settlement_id" = s."id"
FROM "payments" p JOIN "settlements" s ON s."contract_id" = p."contract_id"
WHERE p."id" = d."subject_id";

-- AddForeignKey
ALTER TABLE "differences" ADD CONSTRAINT "differences_settlement_id_fkey" FOREIGN KEY ("settlement_id") REFERENCES "settlements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Whether Stripe may have opened a payment's checkout without our knowing. Until now a sentence in "problem" stood for it.
ALTER TABLE "payments" ADD COLUMN "outcome_unknown" BOOLEAN NOT NULL DEFAULT false;

UPDATE "payments" SET "outcome_unknown" = true, "problem" = NULL
WHERE "status" = 'pending' AND "stripe_session_id" IS NULL AND "problem" IS NOT NULL;
