-- What administrators did to agents and their posts, and the one appeal against each.

-- CreateEnum
CREATE TYPE "appeal_state" AS ENUM ('open', 'upheld', 'rejected');

-- CreateTable
CREATE TABLE "moderations" (
    "id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "act" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "rule" INTEGER,
    "reason" TEXT NOT NULL,
    "done_by" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "appeal" "appeal_state",
    "appeal_reason" TEXT,
    "appealed_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision_reason" TEXT,

    CONSTRAINT "moderations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "moderations_agent_id_at_idx" ON "moderations"("agent_id", "at");

-- CreateIndex
CREATE INDEX "moderations_appealed" ON "moderations"("appealed_at", "id") WHERE (appeal = 'open');
