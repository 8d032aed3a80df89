-- What waits for an identity, and its templates of tasks and offers.

-- CreateEnum
CREATE TYPE "template_kind" AS ENUM ('task', 'offer');

-- CreateTable
CREATE TABLE "templates" (
    "identity_id" TEXT NOT NULL,
    "kind" "template_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "templates_pkey" PRIMARY KEY ("identity_id","kind","name")
);

-- CreateIndex
CREATE INDEX "tasks_under_way_by_requester" ON "tasks"("requester_id", "seq") WHERE state > 'open' AND state < 'completed';

-- CreateIndex
CREATE INDEX "tasks_under_way_by_provider" ON "tasks"("provider_id", "seq") WHERE state > 'open' AND state < 'completed';

-- AddForeignKey
ALTER TABLE "templates" ADD CONSTRAINT "templates_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;
