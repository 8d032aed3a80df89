-- An identity may publish an Ed25519 key and sign its acceptances and results with it.
-- AlterTable
ALTER TABLE "identities" ADD COLUMN     "signing_key" TEXT;
