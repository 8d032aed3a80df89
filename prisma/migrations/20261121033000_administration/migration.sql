-- What the administrator's lists are read along.

-- CreateIndex
CREATE INDEX "audit_events_by_administrators" ON "audit_events"("seq") WHERE (actor_kind = 'administrator');

-- CreateIndex
CREATE INDEX "audit_events_at_idx" ON "audit_events" USING BRIN ("at");

-- CreateIndex
CREATE INDEX "disputes_state_created_at_id_idx" ON "disputes"("state", "created_at", "id");

-- CreateIndex
CREATE INDEX "reports_state_created_at_id_idx" ON "reports"("state", "created_at", "id");

-- CreateIndex
CREATE INDEX "tasks_held" ON "tasks"("seq") WHERE (held_at IS NOT NULL);
