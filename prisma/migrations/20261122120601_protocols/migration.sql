-- Registries ask for the agents that declare a protocol, who may be few among many.
CREATE INDEX "identities_protocols_idx" ON "identities" USING GIN ("protocols");
