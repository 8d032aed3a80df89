-- Formerly: f985af3d2b74947f832750da8c32757045b21c50d1c1fbb47b5cbbcdaf349c01
-- In steps, so that nobody waits long for a table while processes of the first release serve: docs/decisions/migrations-in-steps.md.
-- Foreign keys for columns that hold another table's ID, and a column for the payment that an idempotency key started.
--
-- Without a foreign key, on purpose:
-- - audit_events, idempotency_keys.actor_id, reports.subject_id, differences.subject_id: IDs of several tables;
-- - reports.owner_id: a report outlives its reporter's account;
-- - posts.thread_id: a thread is its posts and has no table;
-- - identities.host: hosts has only those with a decision;
-- - payment_accounts.named_identity_id: what Stripe says, right or wrong.

-- Step: idempotency keys
-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "payment_id" TEXT,
ALTER COLUMN "status" DROP NOT NULL,
ALTER COLUMN "body" DROP NOT NULL;

-- Until now a key whose payment awaited its checkout had the status 102, and the payment's ID as its body. An answered key names
-- its payment in the answer.
UPDATE "idempotency_keys" SET "payment_id" = "body", "status" = NULL, "body" = NULL WHERE "status" = 102;
-- Step: payments of answered keys
UPDATE "idempotency_keys" k SET "payment_id" = p."id"
FROM "payments" p
WHERE k."operation" = 'payments/intent' AND k."status" IS NOT NULL
  AND p."id" = k."body"::jsonb -> 'payment' ->> 'payment_id' AND p."payment_mode" = 'LIVE';
DELETE FROM "idempotency_keys" k
WHERE k."status" IS NULL AND NOT EXISTS (SELECT FROM "payments" p WHERE p."id" = k."payment_id");

-- Step: what an answered key has
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_answered"
  CHECK (("status" IS NULL) = ("body" IS NULL) AND ("status" IS NOT NULL OR "payment_id" IS NOT NULL));

-- Step: lists of identities
-- Lists are empty rather than null. Prisma doesn't tell the two apart.
UPDATE "identities" SET "skills" = coalesce("skills", '{}'), "protocols" = coalesce("protocols", '{}'),
  "denied_actions" = coalesce("denied_actions", '{}')
WHERE "skills" IS NULL OR "protocols" IS NULL OR "denied_actions" IS NULL;
ALTER TABLE "identities" ALTER COLUMN "skills" SET NOT NULL,
ALTER COLUMN "protocols" SET NOT NULL,
ALTER COLUMN "denied_actions" SET NOT NULL;

-- Step: other lists
UPDATE "profiles" SET "denied_actions" = '{}' WHERE "denied_actions" IS NULL;
UPDATE "owner_passkeys" SET "transports" = '{}' WHERE "transports" IS NULL;
UPDATE "payment_accounts" SET "requirements_due" = '{}' WHERE "requirements_due" IS NULL;
ALTER TABLE "profiles" ALTER COLUMN "denied_actions" SET NOT NULL;
ALTER TABLE "owner_passkeys" ALTER COLUMN "transports" SET NOT NULL;
ALTER TABLE "payment_accounts" ALTER COLUMN "requirements_due" SET NOT NULL;

-- Step: rows that refer to something that no longer exists
-- Nothing deletes profiles, posts, tasks or identities, so there should be none
-- in the first two tables. If one of the tables about money had any, adding its foreign key would fail: that needs a person.
DELETE FROM "activities" a
WHERE NOT EXISTS (SELECT FROM "profiles" p WHERE p."id" = a."recipient_id")
  OR ("post_id" IS NOT NULL AND NOT EXISTS (SELECT FROM "posts" p WHERE p."id" = a."post_id"))
  OR ("task_id" IS NOT NULL AND NOT EXISTS (SELECT FROM "tasks" t WHERE t."id" = a."task_id"));
DELETE FROM "reply_edges" e
WHERE NOT EXISTS (SELECT FROM "profiles" p WHERE p."id" = e."from_id")
  OR NOT EXISTS (SELECT FROM "profiles" p WHERE p."id" = e."to_id");
UPDATE "identities" i SET "owner_id" = NULL
WHERE "owner_id" IS NOT NULL AND NOT EXISTS (SELECT FROM "owners" o WHERE o."id" = i."owner_id");
DELETE FROM "owner_challenges" c
WHERE "session_id" IS NOT NULL AND NOT EXISTS (SELECT FROM "owner_sessions" s WHERE s."id" = c."session_id");

-- Step: reply_edges_from_id_fkey
-- AddForeignKey
ALTER TABLE "reply_edges" ADD CONSTRAINT "reply_edges_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Step: reply_edges_to_id_fkey
-- AddForeignKey
ALTER TABLE "reply_edges" ADD CONSTRAINT "reply_edges_to_id_fkey" FOREIGN KEY ("to_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Step: activities_recipient_id_fkey
-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_recipient_id_fkey" FOREIGN KEY ("recipient_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Step: activities_post_id_fkey
-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Step: activities_task_id_fkey
-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_task_id_fkey" FOREIGN KEY ("task_id") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Step: contracts_requester_id_fkey
-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_requester_id_fkey" FOREIGN KEY ("requester_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: contracts_provider_id_fkey
-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: contracts_declined_by_fkey
-- AddForeignKey
ALTER TABLE "contracts" ADD CONSTRAINT "contracts_declined_by_fkey" FOREIGN KEY ("declined_by") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: identities_owner_id_fkey
-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "owners"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: owner_challenges_session_id_fkey
-- AddForeignKey
ALTER TABLE "owner_challenges" ADD CONSTRAINT "owner_challenges_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "owner_sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Step: idempotency_keys_payment_id_fkey
-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: settlements_requester_id_fkey
-- AddForeignKey
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_requester_id_fkey" FOREIGN KEY ("requester_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: settlements_provider_id_fkey
-- AddForeignKey
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: settlement_totals_party_id_fkey
-- AddForeignKey
ALTER TABLE "settlement_totals" ADD CONSTRAINT "settlement_totals_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: payments_requester_id_fkey
-- AddForeignKey
ALTER TABLE "payments" ADD CONSTRAINT "payments_requester_id_fkey" FOREIGN KEY ("requester_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: payment_accounts_identity_id_fkey
-- AddForeignKey
ALTER TABLE "payment_accounts" ADD CONSTRAINT "payment_accounts_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: transfer_intents_provider_id_fkey
-- AddForeignKey
ALTER TABLE "transfer_intents" ADD CONSTRAINT "transfer_intents_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Step: disputes_opened_by_fkey
-- AddForeignKey
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_opened_by_fkey" FOREIGN KEY ("opened_by") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
