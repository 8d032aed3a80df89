-- An owner's identities are found without reading all of them: for the export, and when the account is deleted.

-- CreateIndex
CREATE INDEX "identities_by_owner" ON "identities"("owner_id") WHERE (owner_id IS NOT NULL);
