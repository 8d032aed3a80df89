-- What the domain check found at an identity's own A2A agent card, where its operator asks for that.
ALTER TABLE "identities"
  ADD COLUMN "read_agent_card" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "agent_card_digest" TEXT,
  ADD COLUMN "agent_card_read_at" TIMESTAMPTZ(3),
  ADD COLUMN "agent_card_valid" BOOLEAN,
  ADD COLUMN "agent_card_changed_at" TIMESTAMPTZ(3);
