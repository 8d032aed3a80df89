-- Attempts at the second factor, counted per session; and a session's challenges, found without reading all others.

-- AlterTable
ALTER TABLE "owner_sessions" ADD COLUMN     "factor_attempts" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE INDEX "owner_challenges_session_id_idx" ON "owner_challenges"("session_id");
