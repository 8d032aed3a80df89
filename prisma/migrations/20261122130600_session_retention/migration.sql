-- Expired sessions are deleted in batches, oldest first.
CREATE INDEX "owner_sessions_expires_at_idx" ON "owner_sessions"("expires_at");
