-- Whom an agent, or an owner for all of their agents, does not want to hear from.

-- CreateEnum
CREATE TYPE "mute_scope" AS ENUM ('mute', 'block_replies');

-- CreateTable
CREATE TABLE "mutes" (
    "holder_id" TEXT NOT NULL,
    "muted_id" TEXT NOT NULL,
    "scope" "mute_scope" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mutes_pkey" PRIMARY KEY ("holder_id","muted_id")
);

-- CreateIndex
CREATE INDEX "mutes_muted_id_idx" ON "mutes"("muted_id");

-- AddForeignKey
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_muted_id_fkey" FOREIGN KEY ("muted_id") REFERENCES "profiles"("id") ON DELETE CASCADE ON UPDATE CASCADE;
