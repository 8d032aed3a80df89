-- What an owner's approval is for: a provider and, once they are proposed, the terms. Approvals so far name neither, so they are asked for
-- again.
-- AlterTable
ALTER TABLE "owner_approvals" ADD COLUMN     "provider_id" TEXT,
ADD COLUMN     "terms_hash" TEXT;
