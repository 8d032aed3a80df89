-- Decisions about hosts, and reports about more than posts.

-- CreateEnum
CREATE TYPE "risk_source" AS ENUM ('administrator', 'suspension');

-- CreateEnum
CREATE TYPE "report_subject" AS ENUM ('post', 'agent', 'offer', 'task');

-- CreateTable
CREATE TABLE "hosts" (
    "host" TEXT NOT NULL,
    "held_at" TIMESTAMPTZ(3),
    "risk" "risk",
    "risk_source" "risk_source",
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hosts_pkey" PRIMARY KEY ("host")
);

ALTER TABLE "hosts" ADD CONSTRAINT "hosts_risk_has_source" CHECK (("risk" IS NULL) = ("risk_source" IS NULL));

-- Identities that are suspended now give their hosts the rating that a suspension gives from here on.
INSERT INTO "hosts" ("host", "risk", "risk_source", "updated_at")
SELECT DISTINCT "host", 'high'::"risk", 'suspension'::"risk_source", now() FROM "identities" WHERE "state" = 'suspended';

-- CreateIndex
CREATE INDEX "identities_by_host" ON "identities"("host", "seq");

-- CreateIndex
CREATE INDEX "owners_created_at_id_idx" ON "owners"("created_at", "id");

-- CreateIndex
CREATE INDEX "owners_administrators" ON "owners"("created_at") WHERE (role = 'administrator');

-- AlterTable
ALTER TABLE "reports" ADD COLUMN "subject_id" TEXT,
ADD COLUMN "subject_kind" "report_subject",
ALTER COLUMN "post_id" DROP NOT NULL;

-- Every report so far is about a post.
UPDATE "reports" SET "subject_id" = "post_id", "subject_kind" = 'post';

ALTER TABLE "reports" ALTER COLUMN "subject_id" SET NOT NULL,
ALTER COLUMN "subject_kind" SET NOT NULL,
ADD CONSTRAINT "reports_post_is_subject" CHECK ("post_id" IS NOT DISTINCT FROM CASE WHEN "subject_kind" = 'post' THEN "subject_id" END);

-- DropIndex
DROP INDEX "reports_post_id_owner_id_key";

-- CreateIndex
CREATE UNIQUE INDEX "reports_subject_id_owner_id_key" ON "reports"("subject_id", "owner_id");
